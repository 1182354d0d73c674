import type { Check } from '../check.ts';
import type { Plan } from '../options.ts';

/** The line that runs one check alone against the same target, with secrets as variables. */
export function commandOf(check: Check, plan: Plan): string {
  const { baseUrl, appUrl, control, receiver } = plan;
  return [
    'hookproof check',
    ...(baseUrl === null ? [] : [`--base-url ${quote(baseUrl)}`]),
    ...(appUrl === null ? [] : [`--app-url ${quote(appUrl)}`]),
    ...(plan.keys.main === undefined ? [] : ['--key "$HOOKPROOF_KEY"']),
    ...(usesFixtures(plan) ? ['--fixtures fixtures.json'] : []),
    ...(control === null
      ? []
      : [`--control-url ${quote(control.url)} --control-token "$HOOKPROOF_CONTROL_TOKEN"`]),
    ...(check.side === 'sender' ? ['--sender'] : []),
    ...(check.side === 'receiver' && receiver !== null
      ? [`--receiver ${quote(receiver.url)} --secret "$HOOKPROOF_SECRET"`]
      : []),
    ...(plan.allowWrites ? ['--allow-writes'] : []),
    ...(plan.allowDeletes ? ['--allow-deletes'] : []),
    `--only ${check.id}`,
  ].join(' ');
}

/** Ids, and every key but the main one, come from the file. */
function usesFixtures({ fixtures, keys }: Plan): boolean {
  const others = Object.keys(keys).filter((name) => name !== 'main');
  return Object.keys(fixtures).length + others.length > 0;
}

/** As it is when the shell would leave it alone, else in single quotes. */
function quote(text: string): string {
  return /^[\w.:/@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

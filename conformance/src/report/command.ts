import type { Check } from '../check-kit/check.ts';
import type { Plan } from '../options/plan.ts';

/** The line that runs one check alone against the same target, with what its side needs and secrets as variables. */
export function commandOf(check: Check, plan: Plan): string {
  const flags = check.side === 'receiver' ? receiverFlags(plan) : targetFlags(check, plan);
  return ['hookproof check', ...flags, `--only ${check.id}`].join(' ');
}

function targetFlags({ side }: Check, plan: Plan): string[] {
  const { baseUrl, appUrl, control } = plan;
  return [
    ...(baseUrl === null ? [] : [`--base-url ${quote(baseUrl)}`]),
    ...(appUrl === null ? [] : [`--app-url ${quote(appUrl)}`]),
    ...(plan.keys.main === undefined ? [] : ['--key "$HOOKPROOF_KEY"']),
    ...(usesFixtures(plan) ? ['--fixtures fixtures.json'] : []),
    ...(control === null
      ? []
      : [`--control-url ${quote(control.url)} --control-token "$HOOKPROOF_CONTROL_TOKEN"`]),
    ...(side === 'sender' ? ['--sender'] : []),
    ...(plan.allowWrites ? ['--allow-writes'] : []),
    ...(plan.allowDeletes ? ['--allow-deletes'] : []),
  ];
}

function receiverFlags({ receiver }: Plan): string[] {
  if (receiver === null) return [];
  const { url, secretEncoding, observerUrl } = receiver;
  return [
    `--receiver ${quote(url)} --secret "$HOOKPROOF_SECRET"`,
    ...(secretEncoding === 'utf8' ? [] : [`--secret-encoding ${secretEncoding}`]),
    ...(observerUrl === null ? [] : [`--observer ${quote(observerUrl)}`]),
  ];
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

import type { Check } from '../../check-kit/check.ts';
import type { Facts } from '../../options/facts.ts';
import type { Plan } from '../../options/plan.ts';
import { quoteIfNeeded } from './shell.ts';

/** The command that runs one check against the same target, with secrets as variables and only the flags that it needs. */
export function commandOf(check: Check, plan: Plan, facts: Facts): string {
  const flags = check.side === 'receiver' ? receiverFlags(plan) : targetFlags(check, plan, facts);
  return ['hookproof check', ...flags, `--only ${check.id}`].join(' ');
}

function targetFlags(check: Check, plan: Plan, facts: Facts): string[] {
  const { baseUrl, appUrl, control } = plan;
  const { side, access, needs } = check;
  const app = needs.includes('app') || side === 'sender';
  return [
    ...(baseUrl === null ? [] : [`--base-url ${quoteIfNeeded(baseUrl)}`]),
    ...(appUrl === null || !app ? [] : [`--app-url ${quoteIfNeeded(appUrl)}`]),
    ...(plan.keys.main === undefined ? [] : ['--key "$HOOKPROOF_KEY"']),
    ...(needsFixtures(check, plan) ? ['--fixtures fixtures.json'] : []),
    ...(control === null || !needsControl(check, facts)
      ? []
      : [`--control-url ${quoteIfNeeded(control.url)} --control-token "$HOOKPROOF_CONTROL_TOKEN"`]),
    ...(side === 'sender' ? ['--sender'] : []),
    ...(access !== 'read' && plan.allowWrites ? ['--allow-writes'] : []),
    ...(access === 'delete' && plan.allowDeletes ? ['--allow-deletes'] : []),
  ];
}

function receiverFlags({ receiver }: Plan): string[] {
  if (receiver === null) return [];
  const { url, secretEncoding, observerUrl } = receiver;
  return [
    `--receiver ${quoteIfNeeded(url)} --secret "$WEBHOOK_SECRET"`,
    ...(secretEncoding === 'utf8' ? [] : [`--secret-encoding ${secretEncoding}`]),
    ...(observerUrl === null ? [] : [`--observer ${quoteIfNeeded(observerUrl)}`]),
  ];
}

/** The file supplies ids, and every key except the main one. */
function needsFixtures({ access, needs }: Check, { fixtures, keys }: Plan): boolean {
  const given = [
    ...Object.keys(fixtures).map((name) => `fixture.${name}`),
    ...Object.keys(keys)
      .filter((name) => name !== 'main')
      .map((name) => `key.${name}`),
  ];
  return access === 'read'
    ? needs.some((need) => given.some((name) => name === need))
    : given.length > 0;
}

/** A check that only reads needs the control interface when a key or an id of it comes from there. */
function needsControl({ access, needs }: Check, { keys, fixtures }: Facts): boolean {
  if (access !== 'read' || needs.some((need) => need.startsWith('control'))) return true;
  const fromControl = [
    ...Object.entries(keys).map(([name, { source }]) => ({ name: `key.${name}`, source })),
    ...Object.entries(fixtures).map(([name, { source }]) => ({ name: `fixture.${name}`, source })),
  ].filter(({ source }) => source === 'control interface');
  const wanted = new Set<string>(['key.main', ...needs]);
  return fromControl.some(({ name }) => wanted.has(name));
}

import { keyVariable } from '../redaction/redactor.ts';
import { FIXTURE_NAMES, KEY_NAMES } from './facts.ts';
import type { FixtureName, KeyName } from './facts.ts';
import type { Remedy } from '../verdict/remedy.ts';

const KEY_PLACEHOLDERS: Record<Exclude<KeyName, 'main'>, string> = {
  reviewer: '<key with scope dataset_review:read alone>',
  ocr: '<key with scope ocr:full>',
  workflow: '<key with scope workflow:read alone>',
  otherTenant: '<wildcard key of another tenant>',
};

const OPTIONS = {
  baseUrl: '--base-url URL',
  appUrl: '--app-url URL',
  control: '--control-url URL --control-token "$HOOKPROOF_CONTROL_TOKEN"',
  driver:
    '--control-url URL --control-token "$HOOKPROOF_CONTROL_TOKEN", or --step-command COMMAND, or --ask',
  listener: '--listen HOST:PORT and --public-url URL, an address that the target can reach',
  receiver: '--receiver URL --secret "$WEBHOOK_SECRET"',
  observer: '--observer URL',
  retryWindow: '--retry-window SECONDS, longer than the sender takes to retry',
} as const;

/** What to add to the command line when a run lacks an option. */
export function optionRemedy(need: keyof typeof OPTIONS): Remedy & { readonly need: string } {
  return { text: OPTIONS[need], need };
}

export function keyRemedy(name: KeyName): Remedy {
  if (name === 'main') return { text: '--key "$HOOKPROOF_KEY"', need: 'key' };
  const text = `--fixtures FILE with { "keys": { "${name}": "${KEY_PLACEHOLDERS[name]}" } }, or ${keyVariable(name)}`;
  return { text, need: `keys.${name}`, inFixtures: true };
}

export function fixtureRemedy(name: FixtureName): Remedy {
  return { text: `--fixtures FILE with { "${name}": "<value>" }`, need: name, inFixtures: true };
}

/** For what follows from the failure of another check. */
export function checkRemedy(check: string): Remedy {
  return { text: `make ${check} pass`, check };
}

/** What a run can lack, by the names of a baseline. */
export const NEEDS: readonly string[] = [
  ...Object.keys(OPTIONS),
  ...KEY_NAMES.map((name) => (name === 'main' ? 'key' : `keys.${name}`)),
  ...FIXTURE_NAMES,
];

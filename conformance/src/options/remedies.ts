import type { FixtureName, KeyName } from './facts.ts';

const KEY_PLACEHOLDERS: Record<Exclude<KeyName, 'main'>, string> = {
  reviewer: '<key with scope dataset_review:read alone>',
  ocr: '<key with scope ocr:full>',
  workflow: '<key with scope workflow:read alone>',
  otherTenant: '<wildcard key of another tenant>',
};

/** What to add to the command line when a run lacks something. */
export const REMEDIES = {
  baseUrl: '--base-url URL',
  appUrl: '--app-url URL',
  control: '--control-url URL --control-token "$HOOKPROOF_CONTROL_TOKEN"',
  receiver: '--receiver URL --secret "$HOOKPROOF_SECRET"',
  observer: '--observer URL',
  key(name: KeyName): string {
    if (name === 'main') return '--key "$HOOKPROOF_KEY"';
    return `--fixtures FILE with { "keys": { "${name}": "${KEY_PLACEHOLDERS[name]}" } }`;
  },
  fixture(name: FixtureName): string {
    return `--fixtures FILE with { "${name}": "<value>" }`;
  },
} as const;

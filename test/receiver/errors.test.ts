import { readFileSync } from 'node:fs';
import { WebhookVerificationError } from '@hookproof/receiver/verify';
import type { VerificationErrorCode, VerificationStage } from '@hookproof/receiver/verify';
import { expect, test } from 'vitest';
import { VERIFICATION_ERROR_STAGES } from '../../receiver/src/verify/errors.ts';

const reference = readFileSync(
  new URL('../../receiver/docs/reference.md', import.meta.url),
  'utf8',
);

/** Code and stage of each row of the first table under the heading `Errors`. */
function documentedCodes(): Record<string, string> {
  const [, section = ''] = reference.split(/^## Errors$/m);
  const [table = ''] = section.match(/(?:^\|.*\n)+/m) ?? [];
  const rows = table.matchAll(/^\| `([a-z0-9_]+)` +\| (\w+) +\|/gm);
  return Object.fromEntries(Array.from(rows, ([, code = '', stage = '']) => [code, stage]));
}

/** Compiles only while the cases are exactly the codes. */
function stageOf(code: VerificationErrorCode): VerificationStage {
  switch (code) {
    case 'header_missing':
    case 'header_repeated':
    case 'id_malformed':
    case 'timestamp_malformed':
    case 'signature_malformed':
      return 'headers';
    case 'signature_mismatch':
      return 'signature';
    case 'timestamp_too_old':
    case 'timestamp_too_new':
      return 'freshness';
    case 'body_not_utf8':
    case 'body_not_json':
    case 'event_invalid':
    case 'event_id_mismatch':
      return 'event';
    default:
      return code satisfies never;
  }
}

test('the reference documents exactly the codes', () => {
  expect(documentedCodes()).toEqual(VERIFICATION_ERROR_STAGES);
});

test('an error has its code, stage and name', () => {
  for (const [code, stage] of Object.entries(VERIFICATION_ERROR_STAGES)) {
    const error = new WebhookVerificationError(stage, code as VerificationErrorCode, 'why');
    expect(error).toMatchObject({ code, stage, name: 'WebhookVerificationError', message: 'why' });
    expect(error).toBeInstanceOf(Error);
  }
});

test.each(Object.entries(VERIFICATION_ERROR_STAGES))(
  'an exhaustive switch over the codes covers %s',
  (code, stage) => {
    expect(stageOf(code as VerificationErrorCode)).toBe(stage);
  },
);

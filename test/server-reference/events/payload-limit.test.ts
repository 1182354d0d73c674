import type { RunSnapshot } from '@hookproof/spec';
import { expect, test } from 'vitest';

import { eventPayload, PAYLOAD_LIMIT_BYTES } from '../../../server-reference/src/events/event.ts';

const AT = '2026-07-01T00:00:00.000Z';

function payloadOf(output: unknown): string {
  const run: RunSnapshot = {
    id: 'exec_1',
    automationId: 'wf_1',
    type: 'workflow',
    status: 'completed',
    triggerType: 'api',
    createdAt: AT,
    startedAt: AT,
    completedAt: AT,
    output,
  };
  return eventPayload({ id: 'whev_1', createdAt: AT, test: false, run });
}

const ROOM = PAYLOAD_LIMIT_BYTES - Buffer.byteLength(payloadOf(''));

test.each([
  ['one byte', 'x', 1],
  ['two bytes', 'é', 2],
  ['three bytes', '☃', 3],
  ['four bytes', '😀', 4],
  ['an escape', '"', 2],
  ['half of a surrogate pair', '\ud800', 6],
])('characters of %s are counted as the bytes that are sent', (_what, character, bytes) => {
  const filling = character.repeat(Math.floor(ROOM / bytes)) + 'x'.repeat(ROOM % bytes);
  const whole = payloadOf(filling);
  expect(Buffer.byteLength(whole)).toBe(PAYLOAD_LIMIT_BYTES);
  expect(JSON.parse(whole).data.run).toMatchObject({ output: filling });
  const { run } = JSON.parse(payloadOf(`${filling}x`)).data;
  expect(run).toMatchObject({ outputOmitted: true });
  expect(run).not.toHaveProperty('output');
});

import { expect, test } from 'vitest';

import { assertControl } from './control-contract.ts';
import type { ControlExchange } from './control-contract.ts';

const CLOCK: ControlExchange = {
  method: 'POST',
  path: '/clock/advance',
  sent: { milliseconds: 5 },
  status: 200,
  headers: { 'x-request-id': 'req_1' },
  body: { mode: 'virtual', now: '2026-07-01T00:00:00.000Z' },
};
const REFUSED = {
  issues: [{ field: 'x', message: 'x', code: 'clock_not_virtual', severity: 'error' }],
  requestId: 'req_1',
};

test('an exchange that control.yaml describes passes', () => {
  assertControl(CLOCK);
  assertControl({ ...CLOCK, status: 409, body: REFUSED });
  assertControl({
    ...CLOCK,
    method: 'DELETE',
    path: '/keys/x',
    sent: undefined,
    status: 204,
    body: undefined,
  });
  assertControl({ ...CLOCK, path: '/nowhere', status: 404, body: REFUSED });
});

test.each<[what: string, other: Partial<ControlExchange>]>([
  ['a status', { status: 202 }],
  ['a field', { body: { ...(CLOCK.body as object), zone: 'UTC' } }],
  ['a value', { body: { mode: 'frozen', now: '2026-07-01T00:00:00.000Z' } }],
  ['a time of another form', { body: { mode: 'real', now: 'Wednesday' } }],
  ['a field too few', { body: { mode: 'real' } }],
  ['no body', { body: undefined }],
  ['a code', { status: 400, body: REFUSED }],
  ['a header too few', { status: 409, body: REFUSED, headers: {} }],
  ['a body that it took', { sent: { milliseconds: 5, seconds: 5 } }],
  ['a path that it responds to', { path: '/nowhere' }],
])('%s that control.yaml does not describe fails', (_what, other) => {
  expect(() => assertControl({ ...CLOCK, ...other })).toThrow();
});

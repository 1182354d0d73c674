import { expect, test } from 'vitest';

import { assertContract } from '../contract-client.ts';
import { assertControl } from '../lab/control/control-contract.ts';

const id = { 'x-request-id': 'req_00000000-0000-0000-0000-000000000000' };
const headers = { ...id, 'content-type': 'application/json; charset=utf-8' };
const requestId = id['x-request-id'];
const issue = { field: '<root>', message: 'm', code: 'c', severity: 'error' };
const envelope = { issues: [issue], requestId };
const LIST = '/v1/templates';
const CONTENT = '/v1/files/file_1/content';
const range = { ...id, 'content-type': 'text/plain', 'content-range': 'bytes 0-1/9' };

/** The check of all route tests: they show what it passes, and this what it refuses. */
test.each([
  ['a body without a required field', LIST, 200, { items: [] }, headers],
  ['an envelope with a field more', '/v1/x', 404, { ...envelope, stack: '' }, headers],
  ['an envelope without issues', '/v1/x', 404, { ...envelope, issues: [] }, headers],
  ['another request id', LIST, 401, { ...envelope, requestId: 'x' }, headers],
  ['no request id', LIST, 200, { items: [], total: 0 }, { ...headers, 'x-request-id': undefined }],
  ['an undocumented status', '/v1/dataset-review-requests', 418, envelope, headers],
  ['another success than that of this server', LIST, 201, { items: [], total: 0 }, headers],
  ['success without an operation', '/v1/nothing', 200, {}, headers],
  ['half of what an inline schema requires', '/v1/runs/exec_1/usage', 200, {}, headers],
  ['a redirect to nowhere', CONTENT, 302, undefined, id],
  ['a file of no type', CONTENT, 200, undefined, id],
  ['a part of another length', CONTENT, 206, undefined, { ...range, 'content-length': '1' }],
  ['416 without the length', CONTENT, 416, envelope, headers],
  ['429 without a time', LIST, 429, envelope, headers],
])('the contract check refuses %s', (_what, path, status, body, given) => {
  expect(() => assertContract('GET', path, { status, headers: given, body })).toThrow();
});

const CLOCK = {
  method: 'POST',
  path: '/clock/advance',
  sent: { milliseconds: 5 },
  status: 200,
  headers: id,
  body: { mode: 'virtual', now: '2026-07-01T00:00:00.000Z' },
};

test.each<[what: string, other: Partial<typeof CLOCK> | { body: unknown }]>([
  ['a status', { status: 202 }],
  ['a field', { body: { ...CLOCK.body, zone: 'UTC' } }],
  ['a time of another form', { body: { mode: 'real', now: 'Wednesday' } }],
  [
    'a code',
    { status: 400, body: { issues: [{ ...issue, code: 'clock_not_virtual' }], requestId } },
  ],
  ['a body that it took', { sent: { ...CLOCK.sent, seconds: 5 } as object as { milliseconds: 5 } }],
  ['a path that it responds to', { path: '/nowhere' }],
])('the control check refuses %s that control.yaml does not describe', (_what, other) => {
  assertControl(CLOCK);
  expect(() => assertControl({ ...CLOCK, ...other })).toThrow();
});

import { describe, expect, test } from 'vitest';

import { assertContract } from '../contract-client.ts';

const id = { 'x-request-id': 'req_00000000-0000-0000-0000-000000000000' };
const headers = { ...id, 'content-type': 'application/json; charset=utf-8' };
const envelope = {
  issues: [{ field: '<root>', message: 'm', code: 'c', severity: 'error' }],
  requestId: id['x-request-id'],
};
const snapshot = {
  id: 'exec_1',
  automationId: 'wf_1',
  type: 'workflow',
  status: 'pending',
  triggerType: 'api',
  createdAt: '2026-07-04T10:05:00.000Z',
  startedAt: null,
  completedAt: null,
};
const accepted = {
  ...snapshot,
  finished: false,
  source: { id: 'wf_delivery_notes', name: 'Delivery note reader', version: '7' },
};
const usage = {
  tokens: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
  creditsCharged: 1,
  durationMs: 1,
  llmCallCount: 1,
  ocrPagesProcessed: 0,
  agentTurns: 0,
};
const INPUT = '/v1/automations/wf_1/examples/ex_1/input/scans/of%20march/1.pdf';
const EXPORT = '/v1/automations/wf_1/dataset/export';
const CONTENT = '/v1/files/file_1/content';
const part = {
  ...id,
  'content-type': 'text/plain',
  'content-range': 'bytes 0-1/9',
  'content-length': '2',
};

/** The check of all route tests: they show what it passes, and this what it refuses. */
describe('the contract check of the route tests', () => {
  test.each([
    ['a body without a required field', 'GET', '/v1/templates', 200, { items: [] }, headers],
    ['an envelope with a field more', 'GET', '/v1/x', 404, { ...envelope, stack: '' }, headers],
    ['another request id', 'GET', '/v1/templates', 401, { ...envelope, requestId: 'x' }, headers],
    [
      'no request id',
      'GET',
      '/v1/templates',
      200,
      { items: [], total: 0 },
      { 'content-type': headers['content-type'] },
    ],
    ['an undocumented status', 'GET', '/v1/dataset-review-requests', 418, envelope, headers],
    ['success without an operation', 'GET', '/v1/nothing', 200, {}, headers],
    ['an envelope without issues', 'GET', '/v1/nothing', 404, { ...envelope, issues: [] }, headers],
    ['half of what an inline schema requires', 'GET', '/v1/runs/exec_1/usage', 200, {}, headers],
    [
      'a wrong object that an inline schema refers to',
      'GET',
      '/v1/runs/exec_1/usage',
      200,
      { usage: { ...usage, tokens: 1 } },
      headers,
    ],
    [
      'a companion without its fields',
      'POST',
      '/v1/runs',
      202,
      { ...accepted, status: 'x' },
      headers,
    ],
    ['another success than the settled one', 'POST', '/v1/runs', 204, undefined, headers],
    ['a success of our own choice', 'GET', '/v1/templates', 201, { items: [], total: 0 }, headers],
    ['a content type without a body', 'DELETE', INPUT, 204, undefined, headers],
    ['a path with one segment too many', 'GET', '/v1/files/1/2', 200, {}, headers],
    ['an archive as something else', 'GET', EXPORT, 200, undefined, headers],
    ['a redirect to nowhere', 'GET', CONTENT, 302, undefined, id],
    ['a file of no type', 'GET', CONTENT, 200, undefined, id],
    [
      'a part that is shorter than it says',
      'GET',
      CONTENT,
      206,
      undefined,
      { ...part, 'content-length': '1' },
    ],
    [
      'a part that does not say which',
      'GET',
      CONTENT,
      206,
      undefined,
      { ...part, 'content-range': undefined },
    ],
    ['416 without the length', 'GET', CONTENT, 416, envelope, headers],
    ['429 without a time', 'GET', '/v1/templates', 429, envelope, headers],
    ['an error of the storage in another form', 'PUT', '/_storage/x', 403, {}, headers],
  ])('refuses %s', (_what, method, path, status, body, given) => {
    expect(() => assertContract(method, path, { status, headers: given, body })).toThrow();
  });

  test('refuses a body where none is documented', () => {
    const received = { status: 302, headers: { ...id, location: 'http://x' }, body: undefined };
    expect(() =>
      assertContract('GET', CONTENT, { ...received, bytes: Buffer.from('Found') }),
    ).toThrow();
  });
});

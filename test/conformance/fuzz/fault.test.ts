import { expect, test } from 'vitest';

import { fuzzedFault } from '../../../conformance/src/checks/api/fuzz/fault.ts';
import { responseOf } from '../../../conformance/src/clients/response.ts';
import { Redactor } from '../../../conformance/src/redaction/redactor.ts';

const REQUEST = { method: 'GET', url: 'http://api.test/v1/templates', headers: [], body: null };
const ENVELOPE = { issues: [], requestId: 'req_1' };

test.each([
  ['of a gateway', '<html>', null],
  ['of the API', JSON.stringify(ENVELOPE), 'Retry-After with 503'],
])('a 503 without Retry-After %s', (_whose, body, expected) => {
  const incoming = { status: 503, headers: [], bytes: Buffer.from(body) };
  const response = responseOf(REQUEST, incoming, new Redactor());
  const fault = fuzzedFault('listTemplates', { request: { path: '/' }, refused: null }, response);
  expect(fault?.expected ?? null).toBe(expected);
});

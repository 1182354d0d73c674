import { readFileSync } from 'node:fs';

import type { ResponseCode } from '@hookproof/receiver';
import { RETRIED_STATUSES } from '@hookproof/spec';
import { RECEIVER_FIXES } from '@hookproof/spec/control';
import { describe, expect, it } from 'vitest';

import { responseFor } from '../../receiver/src/receive/responses.ts';
import { VERIFICATION_ERROR_STAGES } from '../../receiver/src/verify/errors.ts';
import { EXPECTED_RESPONSES } from './expected-responses.ts';

const codes = Object.keys(EXPECTED_RESPONSES) as ResponseCode[];

describe('the table of responses', () => {
  it.each(codes)('%s', (code) => {
    const response = responseFor(code);
    const { status } = EXPECTED_RESPONSES[code];
    const body = status < 300 ? '' : `{"code":"${code}"}`;
    expect(response).toMatchObject({ code, status, body });
    expect(response.headers['content-type']).toBe(body === '' ? undefined : 'application/json');
    expect(response.headers['content-length']).toBe(String(body.length));
  });

  it.each<unknown>([
    '{"forged":true}',
    'constructor',
    '__proto__',
    'event_invalid',
    202,
    null,
    undefined,
  ])('has no response for %j', (code) => {
    expect(() => responseFor(code as ResponseCode)).toThrow(
      new TypeError(`code must be in the table of responses, got ${typeof code} that is not.`),
    );
  });

  it('has a fix for every response that is not 2xx', () => {
    const failures = codes.filter((code) => EXPECTED_RESPONSES[code].status >= 300);
    expect([...RECEIVER_FIXES.keys()].toSorted()).toEqual(failures.toSorted());
  });

  it('has the same statuses and fixes as the page for troubleshooting', () => {
    const page = readFileSync(new URL('../../receiver/docs/troubleshooting.md', import.meta.url), {
      encoding: 'utf8',
    });
    const rows = [...page.matchAll(/^\| (\d{3}) +\| `(\w+)` +\| (.*?) +\|$/gm)];
    expect(
      Object.fromEntries(rows.map(([, status, code = '', fix]) => [code, [status, fix]])),
    ).toEqual(
      Object.fromEntries(
        [...RECEIVER_FIXES].map(([code, fix]) => [
          code,
          [String(responseFor(code as ResponseCode).status), fix],
        ]),
      ),
    );
  });

  it('has a row for every refusal before the body is parsed', () => {
    const refusals = Object.entries(VERIFICATION_ERROR_STAGES)
      .filter(([, stage]) => stage !== 'event')
      .map(([code]) => code);
    expect(codes).toEqual(expect.arrayContaining(refusals));
  });

  it('gives an unverified delivery no 2xx', () => {
    const accepting = codes.filter((code) => responseFor(code).status < 300);
    expect(accepting.filter((code) => !EXPECTED_RESPONSES[code].isVerified)).toEqual([]);
    expect(accepting).toEqual(['accepted', 'duplicate']);
  });

  it('gives a delivery that a retry could save no final status', () => {
    const lost = codes.filter(
      (code) => EXPECTED_RESPONSES[code].canRetrySave && !isRetried(responseFor(code).status),
    );
    expect(lost).toEqual([]);
  });

  it('has allow for 405, retry-after for 503, and connection: close for a broken body', () => {
    expect(responseFor('method_not_allowed').headers['allow']).toBe('POST');
    for (const code of codes) {
      const { status, headers } = responseFor(code);
      expect(headers['retry-after'], code).toBe(status === 503 ? '5' : undefined);
    }
    expect(responseFor('body_stalled').headers['connection']).toBe('close');
    expect(responseFor('closing').headers['connection']).toBe('close');
    expect(responseFor('overloaded').headers['connection']).toBe('close');
  });
});

function isRetried(status: number): boolean {
  return status >= 500 || RETRIED_STATUSES.includes(status);
}

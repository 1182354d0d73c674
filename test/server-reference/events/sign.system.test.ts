import { execFileSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { deliveryHeaders } from '../../../server-reference/src/events/signed-headers.ts';
import { sign } from '../../../server-reference/src/events/signed-headers.ts';

test('signs as openssl does: the whole secret over id, timestamp and payload bytes', () => {
  const cases = [Buffer.from('{"a":"ü"}'), Buffer.from([0, 1, 0xff, 0xfe]), Buffer.alloc(0)];
  for (const payload of cases) {
    const secret = 'whsec_0123abcd';
    const output = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret], {
      input: Buffer.concat([Buffer.from('whev_1.1782864000.'), payload]),
      encoding: 'utf8',
    });
    const digest = /([0-9a-f]{64})/.exec(output)?.[1];
    expect(sign(secret, { id: 'whev_1', timestamp: 1_782_864_000, payload })).toBe(`v1,${digest}`);
  }
});

test('the headers of an attempt are those of the contract and the custom ones', () => {
  const message = { id: 'whev_1', timestamp: 1_782_864_000, payload: Buffer.from('{}') };
  expect(deliveryHeaders(message, 'whsec_x', { 'X-Team': 'blue' })).toEqual({
    'X-Team': 'blue',
    'content-type': 'application/json',
    'content-length': '2',
    'user-agent': expect.stringMatching(/^Hookproof-Reference\/\d+\.\d+\.\d+$/),
    'webhook-id': 'whev_1',
    'webhook-timestamp': '1782864000',
    'webhook-signature': sign('whsec_x', message),
  });
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { ApiError } from '../../../../server-reference/src/errors.ts';
import {
  checkAddress,
  expiryAfter,
  signAddress,
} from '../../../../server-reference/src/api/files/signed-url.ts';

const EXPIRES = 1_800_000_000;
const grant = { method: 'GET', path: '/_storage/files/file_1', expires: EXPIRES } as const;

function check(method: string, address: string, now = 0, seed = 1): string {
  const [path = '', querystring = ''] = address.split('?');
  try {
    checkAddress({ method, path, querystring }, seed, now);
    return 'good';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.issues[0]?.code ?? 'none';
  }
}

test('an address is valid until its second, for its method', () => {
  const address = signAddress(grant, 1);
  expect(address).toMatch(/^\/_storage\/files\/file_1\?expires=1800000000&signature=[0-9a-f]{64}$/);
  expect(signAddress(grant, 1)).toBe(address);
  expect(check('GET', address, EXPIRES * 1000 - 1)).toBe('good');
  expect(check('HEAD', address)).toBe('good');
  expect(check('GET', address, EXPIRES * 1000)).toBe('address_expired');
  expect(check('PUT', address)).toBe('address_invalid');
  expect(check('GET', address, 0, 2)).toBe('address_invalid');
});

test('an address is valid for the given time, and less than a second more', () => {
  fc.assert(
    fc.property(fc.nat(4e12), fc.nat(86_400), (now, seconds) => {
      const lasts = expiryAfter(now, seconds) * 1000 - now;
      expect(lasts).toBeGreaterThanOrEqual(seconds * 1000);
      expect(lasts).toBeLessThan(seconds * 1000 + 1000);
    }),
  );
});

test('a change of any one character is found', () => {
  const address = signAddress({ ...grant, query: 'examples=a%2Cb' }, 1);
  expect(check('GET', address)).toBe('good');
  fc.assert(
    fc.property(
      fc.nat(address.length - 1),
      fc.constantFrom('0', 'a', '?', '&', '=', '%', '/'),
      (at, sign) => {
        const changed = address.slice(0, at) + sign + address.slice(at + 1);
        expect(check('GET', changed)).toBe(changed === address ? 'good' : 'address_invalid');
      },
    ),
  );
});

test.each([
  '',
  'expires=1800000000',
  'signature=00',
  `expires=&signature=${'0'.repeat(64)}`,
  `expires=-1&signature=${'0'.repeat(64)}`,
  `expires=1e9&signature=${'0'.repeat(64)}`,
  `signature=${'0'.repeat(64)}&expires=1800000000`,
])('a malformed query is refused: %j', (query) => {
  expect(check('GET', `${grant.path}?${query}`)).toBe('address_invalid');
});

test('nothing can be added before or after the signed part', () => {
  const address = signAddress(grant, 1);
  expect(check('GET', `${address}&a=1`)).toBe('address_invalid');
  expect(check('GET', address.replace('?', '?a=1&'))).toBe('address_invalid');
  expect(check('GET', address.replace('?expires', '?expires=9&expires'))).toBe('address_invalid');
});

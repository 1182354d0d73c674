import { loadSignatureVectors, prepareVector } from '@hookproof/spec/vectors';
import { describe, expect, test } from 'vitest';

import { digest, keyBytes, signature, verifies } from '../../../conformance/src/signing/signer.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const MESSAGE = { id: 'whev_1', timestamp: '1782907200', body: '{"a":1}' };

describe('the signer of the suite', () => {
  // Made with `openssl dgst -sha256 -hmac`.
  test('creates the same digest as openssl', () => {
    expect(signature(keyBytes(SECRET, 'utf8'), MESSAGE)).toBe(
      'v1,74bf9c6d2fa3db15e4ef00f9729edebe9a67c8e36996a84fb4c4bf891edd953b',
    );
    expect(signature(keyBytes(SECRET, 'base64'), MESSAGE)).toBe(
      'v1,86841c73b8e9183cd6eb6018e22e9c672d2f70b6d9f729c089f9b93ab0d62f6e',
    );
  });

  test('agrees with every vector that has the right key', () => {
    const groups = loadSignatureVectors().groups;
    let compared = 0;
    for (const { secret, now, vectors } of groups) {
      for (const vector of vectors.filter(({ recipe }) => recipe.key === 'utf8')) {
        const { signed } = prepareVector(vector, { secret, now });
        expect(digest(keyBytes(secret, 'utf8'), signed), vector.id).toBe(signed.digest);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(0);
  });

  test('signs vectors with a base64 key', () => {
    const vector = loadSignatureVectors().groups[0]?.vectors[0];
    if (vector === undefined) throw new Error('there is no vector');
    const key = keyBytes(SECRET, 'base64');
    const { signed } = prepareVector(vector, { secret: SECRET, now: 1_782_907_200, key });
    expect(digest(key, signed)).toBe(signed.digest);
    expect(digest(keyBytes(SECRET, 'utf8'), signed)).not.toBe(signed.digest);
  });
});

describe('verifies', () => {
  const hex = digest(keyBytes(SECRET, 'utf8'), MESSAGE);

  test.each([
    ['the digest', `v1,${hex}`, true],
    ['the digest in upper case', `v1,${hex.toUpperCase()}`, true],
    ['a digest of the base64 key', signature(keyBytes(SECRET, 'base64'), MESSAGE), true],
    ['another prefix', `v2,${hex}`, false],
    ['no prefix', hex, false],
    ['a digest cut short', `v1,${hex.slice(0, -1)}`, false],
    ['a digest of another key', signature(Buffer.from('other'), MESSAGE), false],
  ])('%s', (_what, header, expected) => {
    expect(verifies(SECRET, header, MESSAGE)).toBe(expected);
  });

  test('rejects the digest of another message', () => {
    for (const change of [{ id: 'whev_2' }, { timestamp: '1782907201' }, { body: '{"a": 1}' }]) {
      expect(verifies(SECRET, `v1,${hex}`, { ...MESSAGE, ...change })).toBe(false);
    }
  });
});

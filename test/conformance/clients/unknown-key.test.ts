import { describe, expect, test } from 'vitest';

import { nearKey } from '../../../conformance/src/clients/unknown-key.ts';

const KEYS = [
  'hpk_059f4f45fc53b5e5b111',
  'sk_live_4eC39HqLyjWDarjtT1zdp7dc',
  '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  'short',
];

describe.each(KEYS)('a key near %s', (key) => {
  test.each(['tail', 'second-half'] as const)('with another %s is another key', (but) => {
    expect(nearKey(key, but)).not.toBe(key);
  });

  test('with a tail begins with it', () => {
    expect(nearKey(key, 'tail').startsWith(key)).toBe(true);
  });

  test('with another second half has its length and its first half', () => {
    const near = nearKey(key, 'second-half');
    expect(near).toHaveLength(key.length);
    expect(near.slice(0, key.length / 2)).toBe(key.slice(0, key.length / 2));
  });
});

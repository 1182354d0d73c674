import { array, assert, constantFrom, property, string, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createRedactor, keyVariable } from '../../../conformance/src/redaction/redactor.ts';

/** The slow way: one secret, sought as it is. */
function rawFormOf(secret: string): RegExp {
  return new RegExp(secret.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'), 'i');
}

const SECRET = 'sk_live/Aa0+="quoted"&<b>';

function redactorOf(secret: string): ReturnType<typeof createRedactor> {
  const redactor = createRedactor();
  redactor.add('HOOKPROOF_KEY', secret);
  return redactor;
}

describe('a redactor', () => {
  const bytes = Buffer.from(SECRET);
  test.each([
    ['raw', SECRET],
    ['lower case', SECRET.toLowerCase()],
    ['in JSON', JSON.stringify({ a: SECRET })],
    ['URL-encoded', encodeURIComponent(SECRET)],
    ['form-encoded', new URLSearchParams({ a: SECRET }).toString()],
    ['hex', bytes.toString('hex')],
    ['upper-case hex', bytes.toString('hex').toUpperCase()],
    ['percent by percent', bytes.toString('hex').replace(/../g, '%$&')],
    ['base64', bytes.toString('base64')],
    ['base64url', bytes.toString('base64url')],
    ['basic authentication', Buffer.from(`me:${SECRET}`).toString('base64')],
    ['basic authentication, shifted', Buffer.from(`you:${SECRET}!`).toString('base64')],
    [
      'in HTML',
      SECRET.replace(/&/g, '&amp;')
        .replace(/</g, '&lt;')
        .replace(/>/g, '&gt;')
        .replace(/"/g, '&quot;'),
    ],
  ])('replaces a secret %s', (_, text) => {
    const redacted = redactorOf(SECRET).redact(`before ${text} after`);
    expect(redacted).toContain('$HOOKPROOF_KEY');
    expect(redacted).toMatch(/^before .* after$/s);
    for (const part of ['live', 'quoted', bytes.subarray(4, 16).toString('hex')]) {
      expect(redacted.toLowerCase()).not.toContain(part);
    }
  });

  test('replaces the part after the prefix and the bytes that it encodes', () => {
    const key = Buffer.from('thirty-two bytes of pure secrecy');
    const redactor = redactorOf(`whsec_${key.toString('base64')}`);
    expect(redactor.redact(key.toString('base64'))).toBe('$HOOKPROOF_KEY');
    expect(redactor.redact(key.toString('hex'))).toBe('$HOOKPROOF_KEY');
    expect(redactor.redact(key.toString('utf8'))).toBe('$HOOKPROOF_KEY');
  });

  test('leaves other text unchanged', () => {
    assert(
      property(string({ maxLength: 7 }), (text) => {
        expect(redactorOf(SECRET).redact(text)).toBe(text);
      }),
    );
  });

  test('replaces any secret within base64', () => {
    const visible = string({
      unit: constantFrom('a', 'b', 'X', 'Z', '0', '9', '-', '_', '/', '+', '=', '.', '$'),
      minLength: 12,
    });
    assert(
      property(visible, string(), string(), (secret, before, after) => {
        const encoded = Buffer.from(before + secret + after).toString('base64');
        const redacted = redactorOf(secret).redact(encoded);
        expect(redacted).toContain('$HOOKPROOF_KEY');
        expect(redactorOf(secret).redact(before + secret + after)).not.toContain(secret);
      }),
    );
  });

  test('finds the same secrets as one pattern per secret', () => {
    const awkward = string({ unit: constantFrom('a', 'A', 'ß', 'ſ', 'µ', 'μ', 'é', '_', '😀') });
    const secret = string({
      unit: constantFrom('a', 'A', '0', '_', '/', '&', 'é', 'ß', 'σ', 'ς'),
      minLength: 8,
      maxLength: 12,
    });
    assert(
      property(array(tuple(secret, awkward), { minLength: 1, maxLength: 20 }), (pairs) => {
        const redactor = createRedactor();
        for (const [known] of pairs) redactor.add('HOOKPROOF_KEY', known);
        const text = pairs.map(([known, before]) => `${before}${known.toUpperCase()}`).join('');
        const redacted = redactor.redact(text);
        for (const [known] of pairs) expect(redacted).not.toMatch(rawFormOf(known));
      }),
    );
  });

  test('redacts every string of a value, and its keys', () => {
    const secret = 'key-0123456789';
    expect(
      redactorOf(secret).redactAll({ [secret]: [secret, 1, null, { deep: `a${secret}` }] }),
    ).toEqual({ $HOOKPROOF_KEY: ['$HOOKPROOF_KEY', 1, null, { deep: 'a$HOOKPROOF_KEY' }] });
  });

  test('ignores values with less than 8 characters', () => {
    expect(redactorOf('short').redact('a short text')).toBe('a short text');
  });

  test('names variables after keys', () => {
    expect(['main', 'wildcard', 'ocr', 'otherTenant'].map(keyVariable)).toEqual([
      'HOOKPROOF_KEY',
      'HOOKPROOF_KEY',
      'HOOKPROOF_KEY_OCR',
      'HOOKPROOF_KEY_OTHER_TENANT',
    ]);
  });
});

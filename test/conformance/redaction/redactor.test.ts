import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { array, assert, constantFrom, nat, property, string, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { withoutLabel } from '../../../conformance/src/redaction/label.ts';
import { Redactor, keyVariable } from '../../../conformance/src/redaction/redactor.ts';

const SECRET = 'sk_live/Aa0+="quoted"&<b>';
const bytes = Buffer.from(SECRET);

/** As a key or token can be: visible ASCII characters. */
const secrets = string({ minLength: 12, maxLength: 44 }).filter((text) => !/[\s$]/.test(text));

function lengthInBase64(text: string): number {
  return Math.ceil((text.length * 8) / 6);
}

function redactorOf(secret: string): Redactor {
  const redactor = new Redactor();
  redactor.add('HOOKPROOF_KEY', secret);
  return redactor;
}

const KEY = /\$\{?HOOKPROOF_KEY\}?/g;

describe('a redactor', () => {
  test.each([
    ['as it is', SECRET],
    ['in lower case', SECRET.toLowerCase()],
    ['percent-encoded', encodeURIComponent(SECRET)],
    ['percent-encoded as in a form', new URLSearchParams({ a: SECRET }).toString().slice(2)],
    ['percent-encoded in every byte', bytes.toString('hex').replace(/../g, '%$&')],
    ['escaped for JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['escaped for JSON with its slashes', JSON.stringify(SECRET).slice(1, -1).replace('/', '\\/')],
    ['escaped for HTML', 'sk_live/Aa0+=&quot;quoted&quot;&amp;&lt;b&gt;'],
    ['in hex', bytes.toString('hex')],
    ['in upper-case hex', bytes.toString('hex').toUpperCase()],
  ])('replaces a secret %s, and nothing beside it', (_, form) => {
    expect(redactorOf(SECRET).redact(`before ${form}, ${form}`)).toBe(
      'before $HOOKPROOF_KEY, $HOOKPROOF_KEY',
    );
  });

  test.each([
    ['base64', Buffer.from(SECRET).toString('base64')],
    ['base64 after one byte', Buffer.from(`:${SECRET}!`).toString('base64')],
    ['base64 after two bytes', Buffer.from(`me:${SECRET}`).toString('base64')],
    ['base64url', Buffer.from(SECRET).toString('base64url')],
  ])('replaces a secret in %s', (_, form) => {
    const redacted = redactorOf(SECRET).redact(`before ${form} after`);
    expect(redacted).toMatch(/^before [\w+/]{0,4}\$\{?HOOKPROOF_KEY\}?[\w+/]{0,2}={0,2} after$/);
  });

  test.each(['0', 'A', 'b', '_C'])('ends the name of the variable before %s', (after) => {
    const redacted = redactorOf(SECRET).redact(`${SECRET}${after} ${SECRET}-${after}`);
    expect(redacted).toBe(`\${HOOKPROOF_KEY}${after} $HOOKPROOF_KEY-${after}`);
  });

  test('leaves no more in base64 than what surrounds a secret', () => {
    assert(
      property(secrets, string(), string(), (secret, before, after) => {
        const encoded = Buffer.from(before + secret + after).toString('base64');
        const redacted = redactorOf(secret).redact(encoded);
        expect(redacted).toMatch(KEY);
        const left = redacted.replaceAll(KEY, '').replaceAll('=', '');
        // The characters at both edges hold some bits of the secret.
        const most = lengthInBase64(before) + lengthInBase64(after) + 2;
        expect(left.length).toBeLessThanOrEqual(most);
      }),
    );
  });

  test('leaves no secret of several as it is, and says the same of its own output', () => {
    const noise = string({ unit: constantFrom('a', 'A', 'ß', 'İ', 'µ', 'é', '_', '😀', '%') });
    assert(
      property(array(secrets, { minLength: 1, maxLength: 20 }), noise, (known, between) => {
        const redactor = new Redactor();
        for (const secret of known) redactor.add('HOOKPROOF_KEY', secret);
        const redacted = redactor.redact(known.map((secret) => between + secret).join(''));
        for (const secret of known) expect(redacted).not.toContain(secret);
        expect(redactor.redact(redacted)).toBe(redacted);
      }),
    );
  });

  test('prefers the longer of two secrets that begin alike', () => {
    const redactor = new Redactor();
    redactor.add('SHORT', 'token-12345');
    redactor.add('LONG', 'token-1234567890');
    expect(redactor.redact('token-1234567890 token-12345')).toBe('$LONG $SHORT');
  });

  test('replaces the beginning of a secret where a text was cut', () => {
    const redactor = redactorOf('hpk_0123456789abcdef');
    expect(redactor.redact('got "hpk_01234567…')).toBe('got "$HOOKPROOF_KEY…');
    expect(redactor.redact('got "hpk_01…')).toBe('got "hpk_01…');
  });

  test.each([
    ['the beginning, cut', 'hpk_0123456789…', '$HOOKPROOF_KEY…'],
    ['half of it with another end', '[hpk_01234567fedcba98]', '[hpk_${HOOKPROOF_KEY}fedcba98]'],
    ['eight characters within', '-6789abcd-', '-$HOOKPROOF_KEY-'],
    ['eight in hex', `.${Buffer.from('456789ab').toString('hex')}.`, '.$HOOKPROOF_KEY.'],
    ['seven characters', '-6789abc-', '-6789abc-'],
    ['the label alone', 'hpk_ and hpk_other', 'hpk_ and hpk_other'],
  ])('replaces a piece of a secret: %s', (_, text, expected) => {
    expect(redactorOf('hpk_0123456789abcdef').redact(text)).toBe(expected);
  });

  test('leaves no eight characters of a secret in a text made of its pieces', () => {
    const piece = tuple(nat(), nat()).map(([from, length]) => [from, length] as const);
    assert(
      property(secrets, array(piece), string(), (secret, pieces, between) => {
        const shown = pieces.map(([from, length]) =>
          secret.slice(from % secret.length).slice(0, length % (secret.length + 1)),
        );
        const redacted = redactorOf(secret).redact(shown.join(`\n${between}\n`));
        const part = withoutLabel(secret);
        const left = Array.from({ length: Math.max(0, part.length - 7) }, (_, at) =>
          part.slice(at, at + 8),
        ).filter((eight) => redacted.includes(eight));
        expect(left).toEqual([]);
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

describe('ordinary text', () => {
  test('stays unchanged beside 500 secrets', () => {
    const redactor = new Redactor();
    for (let number = 0; number < 500; number += 1) {
      const digest = createHash('sha256').update(`secret ${number}`).digest('hex');
      redactor.add('HOOKPROOF_KEY', `hpk_${digest.slice(0, 40)}`);
    }
    const folder = new URL('../../../', import.meta.url);
    for (const name of ['spec/openapi.yaml', 'spec/vectors/signature.json', 'package-lock.json']) {
      const text = readFileSync(new URL(name, folder), 'utf8').slice(0, 300_000);
      expect(redactor.redact(text) === text, name).toBe(true);
    }
  });

  test('has the words that a secret has', () => {
    const redactor = new Redactor();
    redactor.add('HOOKPROOF_CONTROL_TOKEN', 'hookproof-control-token');
    const text = 'hookproof check --control-url URL --control-token "$HOOKPROOF_CONTROL_TOKEN"';
    expect(redactor.redact(text)).toBe(text);
    expect(redactor.redact('it is hookproof-control-token')).toBe('it is $HOOKPROOF_CONTROL_TOKEN');
  });
});

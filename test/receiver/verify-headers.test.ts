import { describe, expect, test } from 'vitest';

import {
  delivery,
  event,
  NOW,
  refusal,
  signedAt,
  untyped,
  verifierWith,
  withHeader,
} from './verify-delivery.ts';

describe('headers', () => {
  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('%s is missing', (name) => {
    expect(() =>
      verifierWith().verifySignature(withHeader(name, undefined), delivery.body),
    ).toThrow(
      refusal(
        'header_missing',
        'headers',
        new RegExp(
          `^Header ${name} must be present once, as .*, got \\[\\] \\(length 0\\)\\. Pass all headers unchanged\\.$`,
        ),
      ),
    );
    expect(() => verifierWith().verifySignature(withHeader(name, []), delivery.body)).toThrow(
      refusal(
        'header_missing',
        'headers',
        new RegExp(
          `^Header ${name} must be present once, as .*, got \\[\\] \\(length 0\\)\\. Pass all headers unchanged\\.$`,
        ),
      ),
    );
  });

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('%s is repeated', (name) => {
    expect(() =>
      verifierWith().verifySignature(withHeader(name, ['a', 'a']), delivery.body),
    ).toThrow(
      refusal(
        'header_repeated',
        'headers',
        new RegExp(`^Header ${name} must be present once, as .*, got \\[".*\\(length `),
      ),
    );
    expect(() =>
      verifierWith().verifySignature(withHeader(name.toUpperCase(), 'a'), delivery.body),
    ).toThrow(
      refusal(
        'header_repeated',
        'headers',
        new RegExp(`^Header ${name} must be present once, as .*, got \\[".*\\(length `),
      ),
    );
  });

  test.each([
    [
      'webhook-id',
      'id_malformed',
      /^Header webhook-id must be present once, as 1 to 256 visible ASCII without comma, got \["\\n"\] \(length 1\)\. Pass all headers unchanged\.$/,
    ],
    [
      'webhook-timestamp',
      'timestamp_malformed',
      /^Header webhook-timestamp must be present once, as Unix seconds, 1 to 12 digits, got \["\\n"\] \(length 1\)\./,
    ],
    [
      'webhook-signature',
      'signature_malformed',
      /^Header webhook-signature must be present once, as "v1," and 64 hex digits, got \["\\n"\] \(length 1\)\./,
    ],
  ])('%s is malformed', (name, code, message) => {
    expect(() => verifierWith().verifySignature(withHeader(name, '\n'), delivery.body)).toThrow(
      refusal(code, 'headers', message),
    );
  });

  test('refuses characters above Latin-1 as hex digits', () => {
    const signature = delivery.headers['webhook-signature'].replaceAll(/[0-9]/g, (digit) =>
      String.fromCharCode(0x100 + digit.charCodeAt(0)),
    );
    expect(() =>
      verifierWith().verifySignature(withHeader('webhook-signature', signature), delivery.body),
    ).toThrow(refusal('signature_malformed', 'headers', /64 hex digits/));
  });

  test.each([3, 4, 65, 66])('refuses another character at place %i of the signature', (place) => {
    for (const character of ['\u0131', '\u00e9', 'g', ' ']) {
      const valid = delivery.headers['webhook-signature'];
      const signature = valid.slice(0, place) + character + valid.slice(place + 1);
      expect(() =>
        verifierWith().verifySignature(withHeader('webhook-signature', signature), delivery.body),
      ).toThrow(refusal('signature_malformed', 'headers', /64 hex digits/));
    }
  });

  test('quotes only the start of a long value', () => {
    const headers = withHeader('webhook-signature', 'x'.repeat(16_384));
    expect(() => verifierWith().verifySignature(headers, delivery.body)).toThrow(
      refusal('signature_malformed', 'headers', /got \["x{58} \(length 16384\)\./),
    );
  });

  test.each([
    [null, 'null'],
    [undefined, 'undefined'],
    ['webhook-id: x', 'string'],
    [7, 'number'],
  ])('%s is a TypeError', (headers, got) => {
    const action = () => verifierWith().verifySignature(untyped(headers), delivery.body);
    expect(action).toThrow(TypeError);
    expect(action).toThrow(`headers must be a request, Headers or a record, got ${got}.`);
  });
});

function get(): string {
  return 'joined, values';
}

describe('the form of the headers', () => {
  const rawHeaders = Object.entries(delivery.headers).flat();
  const repeated = [...rawHeaders, 'Webhook-ID', event.id];
  test.each([
    ['a request of Express, which has get', { rawHeaders, get }],
    ['a context of Koa, which has get', { req: { rawHeaders }, get }],
    ['a request of Fastify', { raw: { rawHeaders }, headers: {} }],
  ])('%s, is read as raw headers', (_, headers) => {
    expect(verifierWith().verifySignature(headers, delivery.body)).toMatchObject({ id: event.id });
  });

  test.each([
    ['a request of Express', { rawHeaders: repeated, get }],
    ['a context of Koa', { req: { rawHeaders: repeated }, get }],
    ['a request of Fastify', { raw: { rawHeaders: repeated }, headers: {} }],
    ['headersDistinct', withHeader('webhook-id', [event.id, event.id])],
  ])('%s shows a repeated header', (_, headers) => {
    expect(() => verifierWith().verifySignature(headers, delivery.body)).toThrow(
      refusal('header_repeated', 'headers', /^Header webhook-id must be present once, as /),
    );
  });

  test('ignores the case of ASCII letters only', () => {
    const kelvin = withHeader('webhook-id', undefined);
    const headers = { ...kelvin, ['webhoo\u212a-id']: event.id };
    expect(() => verifierWith().verifySignature(headers, delivery.body)).toThrow(
      refusal(
        'header_missing',
        'headers',
        /^Header webhook-id must be present once, as .* got \[\]/,
      ),
    );
    const beside = { ...delivery.headers, ['webhoo\u212a-id']: 'whev_other' };
    expect(verifierWith().verifySignature(beside, delivery.body)).toMatchObject({ id: event.id });
  });
});

describe('checkHeaders', () => {
  test('returns what the headers claim, before there is a body', () => {
    const headers = verifierWith().checkHeaders(delivery.headers);
    expect(headers).toMatchObject({ id: event.id, timestamp: NOW / 1000 });
    expect(`v1,${headers.digest}`).toBe(delivery.headers['webhook-signature']);
  });

  test('returns what verifySignature accepts in place of the headers', () => {
    const verifier = verifierWith();
    const headers = verifier.checkHeaders(delivery.headers);
    expect(verifier.verifySignature(headers, delivery.body)).toEqual({
      id: event.id,
      timestamp: NOW / 1000,
      secretIndex: 0,
    });
    expect(() => verifier.verifySignature(headers, Buffer.from('{}'))).toThrow(
      /^Signature must match one of/,
    );
  });

  test('does not judge the time, which only a matching signature proves', () => {
    const stale = verifierWith().checkHeaders(signedAt(-9999).headers);
    expect(() => verifierWith().verifySignature(stale, Buffer.from('{}'))).toThrow(
      refusal('signature_mismatch', 'signature', /^Signature must match one of/),
    );
    expect(() => verifierWith().verifySignature(stale, delivery.body)).toThrow(
      refusal(
        'timestamp_too_old',
        'freshness',
        /^Timestamp must be within 300 s of now, got age 9999 s/,
      ),
    );
  });

  test.each([
    ['header_missing', withHeader('webhook-signature', undefined)],
    ['header_repeated', withHeader('webhook-signature', ['v1,', 'v1,'])],
    ['id_malformed', withHeader('webhook-id', 'a,b')],
    ['timestamp_malformed', withHeader('webhook-timestamp', '1e9')],
    ['signature_malformed', withHeader('webhook-signature', 'v1,00')],
  ])('refuses headers with %s', (code, headers) => {
    expect(() => verifierWith().checkHeaders(headers)).toThrow(
      refusal(code, 'headers', /^Header /),
    );
  });

  test('is the only source of checked headers: a copy is read as a record', () => {
    const copy = Object.assign({}, verifierWith().checkHeaders(delivery.headers));
    expect(() => verifierWith().verifySignature(untyped(copy), delivery.body)).toThrow(
      refusal(
        'header_missing',
        'headers',
        /^Header webhook-id must be present once, as .* got \[\]/,
      ),
    );
  });
});

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

/** Expects that headers are refused, with their body and before there is one. */
function expectRefusal(
  headers: Parameters<ReturnType<typeof verifierWith>['checkHeaders']>[0],
  code: string,
  message: RegExp,
): void {
  const verifier = verifierWith();
  for (const verify of [
    () => verifier.verifySignature(headers, delivery.body),
    () => verifier.checkHeaders(headers),
  ]) {
    expect(verify).toThrow(refusal(code, 'headers', message));
  }
}

const FORMS = {
  'webhook-id': '1 to 256 visible ASCII without comma',
  'webhook-timestamp': 'Unix seconds, 1 to 12 digits',
  'webhook-signature': '"v1," and 64 hex digits',
};

describe.each(Object.entries(FORMS))('the header %s', (name, form) => {
  test.each([
    ['missing', withHeader(name, undefined), 'header_missing', String.raw`\[\] \(length 0\)`],
    ['an empty list', withHeader(name, []), 'header_missing', String.raw`\[\] \(length 0\)`],
    ['repeated', withHeader(name, ['a', 'a']), 'header_repeated', String.raw`\[".*\(length \d+\)`],
    [
      'repeated in another case',
      withHeader(name.toUpperCase(), 'a'),
      'header_repeated',
      String.raw`\[".*\(length \d+\)`,
    ],
    [
      'malformed',
      withHeader(name, '\n'),
      `${name.slice('webhook-'.length)}_malformed`,
      String.raw`\["\\n"\] \(length 1\)`,
    ],
  ])('is %s', (_, headers, code, got) => {
    const message = `^Header ${name} must be present once, as ${form}, got ${got}\\. Pass all headers unchanged\\.$`;
    expectRefusal(headers, code, new RegExp(message));
  });
});

describe('headers', () => {
  test('refuses characters above Latin-1 as hex digits', () => {
    const signature = delivery.headers['webhook-signature'].replaceAll(/[0-9]/g, (digit) =>
      String.fromCharCode(0x100 + digit.charCodeAt(0)),
    );
    expectRefusal(
      withHeader('webhook-signature', signature),
      'signature_malformed',
      /64 hex digits/,
    );
  });

  test.each([3, 4, 65, 66])('refuses another character at place %i of the signature', (place) => {
    for (const character of ['\u0131', '\u00e9', 'g', ' ']) {
      const valid = delivery.headers['webhook-signature'];
      const signature = valid.slice(0, place) + character + valid.slice(place + 1);
      expectRefusal(
        withHeader('webhook-signature', signature),
        'signature_malformed',
        /64 hex digits/,
      );
    }
  });

  test('quotes only the start of a long value', () => {
    const headers = withHeader('webhook-signature', 'x'.repeat(16_384));
    expectRefusal(headers, 'signature_malformed', /got \["x{58} \(length 16384\)\./);
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
    expectRefusal(headers, 'header_repeated', /^Header webhook-id must be present once, as /);
  });

  test('ignores the case of ASCII letters only', () => {
    const kelvin = withHeader('webhook-id', undefined);
    const headers = { ...kelvin, ['webhoo\u212a-id']: event.id };
    expectRefusal(
      headers,
      'header_missing',
      /^Header webhook-id must be present once, as .* got \[\]/,
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

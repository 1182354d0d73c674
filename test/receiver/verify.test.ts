import { createVerifier, decodeEvent, verify } from '@hookproof/receiver/verify';
import type { VerifierOptions } from '@hookproof/receiver/verify';
import {
  runCreatedEvent,
  runStatusChangedEvent,
  sign,
  signEvent,
} from '@hookproof/receiver/testing';
import { describe, expect, onTestFinished, test } from 'vitest';

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBlbmRwb2ludA==';
const NOW = Date.parse('2026-07-01T12:00:00.000Z');
const now = (): number => NOW;
const event = runCreatedEvent();

/** For callers without types. */
function untyped(value: unknown): never {
  return value as never;
}

function signedAt(offset: number) {
  return signEvent(event, { secret: SECRET, now: () => NOW + offset * 1000 });
}

const delivery = signEvent(event, { secret: SECRET, now });

function withHeader(name: string, value: string | readonly string[] | undefined) {
  return { ...delivery.headers, [name]: value };
}

function verifierWith(options: Partial<VerifierOptions> = {}) {
  return createVerifier({ secrets: SECRET, now, ...options });
}

function refusal(code: string, stage: string, message: RegExp) {
  return expect.objectContaining({
    name: 'WebhookVerificationError',
    code,
    stage,
    message: expect.stringMatching(message),
  });
}

function checkSignedAt(offset: number, options: Partial<VerifierOptions>) {
  return () => verifierWith(options).verifySignature(signedAt(offset).headers, delivery.body);
}

describe('a valid delivery', () => {
  test('yields id, timestamp and the index of the secret', () => {
    expect(verifierWith().verifySignature(delivery.headers, delivery.body)).toEqual({
      id: event.id,
      timestamp: NOW / 1000,
      secretIndex: 0,
    });
  });

  test('yields the event', () => {
    expect(verify(delivery.body, delivery.headers, { secrets: SECRET, now })).toEqual(event);
  });

  test('may be any kind of Uint8Array', () => {
    const offset = new Uint8Array([0, ...delivery.body]).subarray(1);
    expect(verifierWith().verifySignature(delivery.headers, offset)).toMatchObject({
      id: event.id,
    });
  });

  test.each([
    [
      'in other letter case',
      { ...delivery.headers, 'webhook-id': undefined, 'Webhook-ID': event.id },
    ],
    [
      'each in an array',
      Object.fromEntries(Object.entries(delivery.headers).map(([k, v]) => [k, [v]])),
    ],
    ['of a Node request', { rawHeaders: Object.entries(delivery.headers).flat() }],
    ['of Fetch', new Headers(delivery.headers)],
    ['without a prototype', Object.assign(Object.create(null), delivery.headers)],
    [
      'beside others of the same length',
      { ...delivery.headers, connection: 'keep-alive', 'keep-alive': 'timeout=5' },
    ],
    ['in a record with a header named rawHeaders', { rawHeaders: 'text', ...delivery.headers }],
  ])('may have headers %s', (_, headers) => {
    expect(verifierWith().verifySignature(headers, delivery.body)).toMatchObject({ id: event.id });
  });
});

describe('secrets', () => {
  const others = Array.from({ length: 7 }, (_, index) => `whsec_another secret ${index}`);

  test.each([0, 3, 7])('matches the secret at index %i of 8', (position) => {
    const verifier = verifierWith({ secrets: others.toSpliced(position, 0, SECRET) });
    const { secretIndex } = verifier.verifySignature(delivery.headers, delivery.body);
    expect(secretIndex).toBe(position);
  });

  test.each([0, 1])('reports the first of two matching secrets, at index %i', (position) => {
    const verifier = verifierWith({ secrets: others.toSpliced(position, 7, SECRET, SECRET) });
    expect(verifier.verifySignature(delivery.headers, delivery.body).secretIndex).toBe(position);
  });

  test('refuses a delivery that matches no secret', () => {
    expect(() =>
      verifierWith({ secrets: others }).verifySignature(delivery.headers, delivery.body),
    ).toThrow(
      refusal(
        'signature_mismatch',
        'signature',
        /^Signature must be of one of the configured secrets \(7\), got another\. Check the secret, and that rawBody is unmodified\.$/,
      ),
    );
  });

  test.each([
    [
      'nothing',
      undefined,
      /^secrets\[0\] must be whsec_… without whitespace around it, got undefined\. Check its environment variable\.$/,
    ],
    ['an empty list', [], /^secrets must be 1 to 8 secrets, got 0\.$/],
    ['nine', Array.from({ length: 9 }, () => SECRET), /^secrets must be 1 to 8 secrets, got 9\.$/],
    [
      'an empty string',
      '',
      /^secrets\[0\] must be whsec_… without whitespace around it, got string\. /,
    ],
    [
      'a prefix alone',
      'whsec_',
      /^secrets\[0\] must be whsec_… without whitespace around it, got string\. /,
    ],
    [
      'no prefix',
      [SECRET, 'c2VjcmV0'],
      /^secrets\[1\] must be whsec_… without whitespace around it, got string\. /,
    ],
    [
      'a trailing newline',
      `${SECRET}\n`,
      /^secrets\[0\] must be whsec_… without whitespace around it, got string\. /,
    ],
    [
      'a variable that is not set',
      [undefined],
      /^secrets\[0\] must be whsec_… without whitespace around it, got undefined\. Check its environment variable\.$/,
    ],
  ])('%s is a TypeError', (_, secrets, message) => {
    expect(() => createVerifier({ secrets: untyped(secrets) })).toThrow(TypeError);
    expect(() => createVerifier({ secrets: untyped(secrets) })).toThrow(message);
  });

  test('refuses a secret that is not base64 when secretEncoding is base64', () => {
    const options = { secrets: 'whsec_not*base64', secretEncoding: 'base64' } as const;
    expect(() => createVerifier(options)).toThrow(
      /^secrets\[0\] must be whsec_ and base64, got string\.$/,
    );
    expect(() => createVerifier({ ...options, secretEncoding: untyped('hex') })).toThrow(
      /^secretEncoding must be utf8 or base64, got hex\.$/,
    );
  });

  test('shows no secret in a message', () => {
    for (const secrets of [`${SECRET} `, SECRET.slice(6), [SECRET, '']]) {
      expect(() => createVerifier({ secrets })).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining(SECRET.slice(6, 20)) }),
      );
    }
  });
});

describe('tolerance', () => {
  test('may be 0', () => {
    expect(checkSignedAt(0, { toleranceSeconds: 0 })).not.toThrow();
    expect(checkSignedAt(-1, { toleranceSeconds: 0 })).toThrow(
      refusal(
        'timestamp_too_old',
        'freshness',
        /^Timestamp must be within 0 s of now, got age 1 s\. Check both clocks\.$/,
      ),
    );
    expect(checkSignedAt(1, { toleranceSeconds: 0 })).toThrow(
      refusal(
        'timestamp_too_new',
        'freshness',
        /^Timestamp must be within 0 s of now, got age -1 s\. Check both clocks\.$/,
      ),
    );
  });

  test('rounds the current time down to whole seconds', () => {
    expect(checkSignedAt(-300, { now: () => NOW + 999 })).not.toThrow();
    expect(checkSignedAt(-300, { now: () => NOW + 1000 })).toThrow(
      refusal(
        'timestamp_too_old',
        'freshness',
        /^Timestamp must be within 300 s of now, got age 301 s\. Check both clocks\.$/,
      ),
    );
  });

  test('reports signature_mismatch for an old delivery with a wrong signature', () => {
    const headers = { ...signedAt(-9999).headers, 'webhook-id': 'whev_other' };
    expect(() => verifierWith().verifySignature(headers, delivery.body)).toThrow(
      refusal(
        'signature_mismatch',
        'signature',
        /^Signature must be of one of the configured secrets \(1\), /,
      ),
    );
  });

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
    '%d is a TypeError',
    (toleranceSeconds) => {
      expect(() => verifierWith({ toleranceSeconds })).toThrow(TypeError);
      expect(() => verifierWith({ toleranceSeconds })).toThrow(
        /^toleranceSeconds must be a non-negative integer, got /,
      );
    },
  );

  test('refuses every delivery when now() returns NaN', () => {
    const verifier = verifierWith({ now: () => Number.NaN });
    expect(() => verifier.verifySignature(delivery.headers, delivery.body)).toThrow(
      /^now\(\) must be milliseconds, got NaN\.$/,
    );
  });
});

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
    expect(headers.signature).toBe(delivery.headers['webhook-signature']);
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
      /^Signature must be of one of/,
    );
  });

  test('does not judge the time, which only a matching signature proves', () => {
    const stale = verifierWith().checkHeaders(signedAt(-9999).headers);
    expect(() => verifierWith().verifySignature(stale, Buffer.from('{}'))).toThrow(
      refusal('signature_mismatch', 'signature', /^Signature must be of one of/),
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

describe('rawBody that is not bytes is a TypeError with a fix', () => {
  const bodies: readonly [string, unknown, RegExp][] = [
    ['text', delivery.body.toString(), /got String\. Take the bytes before any parser; /],
    ['a parsed body', event, /got Object\. Take the bytes before any parser; /],
    ['nothing', undefined, /^rawBody must be a Buffer or Uint8Array, got Undefined\./],
    ['null', null, /^rawBody must be a Buffer or Uint8Array, got Null\./],
    ['an ArrayBuffer', new ArrayBuffer(8), /got ArrayBuffer\. .*; wrap an ArrayBuffer\.$/],
    ['a Blob', new Blob(['{}']), /got Blob\./],
    ['another view', new Uint16Array(8), /got Uint16Array\./],
    ['a promise of bytes', Promise.resolve(delivery.body), /got Promise\./],
    ['an array of bytes', [...delivery.body], /got Array\./],
  ];

  test.each(bodies)('%s', (_, body, message) => {
    for (const action of [
      () => verifierWith().verifySignature(delivery.headers, untyped(body)),
      () => verify(untyped(body), delivery.headers, { secrets: SECRET, now }),
      () => decodeEvent(untyped(body), event.id),
    ]) {
      expect(action).toThrow(TypeError);
      expect(action).toThrow(message);
    }
  });
});

test('accepts bytes of another realm, as test runners have them', async () => {
  const { runInNewContext } = await import('node:vm');
  const foreign: Uint8Array = runInNewContext('Uint8Array.from(bytes)', {
    bytes: [...delivery.body],
  });
  expect(foreign).not.toBeInstanceOf(Uint8Array);
  expect(verifierWith().verifySignature(delivery.headers, foreign)).toMatchObject({ id: event.id });
});

test('one verifier carries nothing over to the next delivery', () => {
  const verifier = verifierWith();
  const other = signEvent(runStatusChangedEvent(), { secret: SECRET, now });
  const bad = sign({
    secret: 'whsec_other',
    id: event.id,
    timestamp: NOW / 1000,
    body: delivery.body,
  });
  expect(verifier.verifySignature(delivery.headers, delivery.body)).toMatchObject({ id: event.id });
  expect(() => verifier.verifySignature(bad, delivery.body)).toThrow(
    /^Signature must be of one of/,
  );
  expect(() => verifier.verifySignature(delivery.headers, other.body)).toThrow(
    /^Signature must be of one of/,
  );
  expect(verifier.verifySignature(other.headers, other.body)).toMatchObject({
    id: other.headers['webhook-id'],
  });
});

test('verifies with any size of the pool of Buffer', () => {
  const { poolSize } = Buffer;
  onTestFinished(() => {
    Buffer.poolSize = poolSize;
  });
  Buffer.poolSize = 1024 * 1024;
  expect(Buffer.from('in the new pool').byteOffset).toBeGreaterThanOrEqual(0);
  const verifier = verifierWith();
  expect(verifier.verifySignature(delivery.headers, delivery.body)).toMatchObject({ id: event.id });
});

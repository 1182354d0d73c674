import { decodeEvent, verify } from '@hookproof/receiver/verify';
import { runStatusChangedEvent, sign, signEvent } from '@hookproof/receiver/testing';
import { describe, expect, onTestFinished, test } from 'vitest';

import {
  checkSignedAt,
  delivery,
  event,
  now,
  NOW,
  refusal,
  SECRET,
  signedAt,
  untyped,
  verifierWith,
} from './verify-delivery.ts';

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

  test('refuses a delivery that matches no secret', () => {
    expect(() =>
      verifierWith({ secrets: others }).verifySignature(delivery.headers, delivery.body),
    ).toThrow(
      refusal(
        'signature_mismatch',
        'signature',
        /^Signature must match one of the configured secrets \(7\), got another\. The secret is wrong, or the body was changed on its way\.$/,
      ),
    );
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
        /^Signature must match one of the configured secrets \(1\), /,
      ),
    );
  });

  test('refuses every delivery when now() returns NaN', () => {
    const verifier = verifierWith({ now: () => Number.NaN });
    expect(() => verifier.verifySignature(delivery.headers, delivery.body)).toThrow(
      /^now\(\) must be milliseconds, got NaN\.$/,
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
    /^Signature must match one of/,
  );
  expect(() => verifier.verifySignature(delivery.headers, other.body)).toThrow(
    /^Signature must match one of/,
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

import { createHmac } from 'node:crypto';
import { WebhookVerificationError, createVerifier, verify } from '@hookproof/receiver/verify';
import type { HeaderSource } from '@hookproof/receiver/verify';
import { runTimeline, sign, signEvent } from '@hookproof/receiver/testing';
import { RUN_STATUSES } from '@hookproof/spec';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

const SECRET = 'whsec_bGF3cyBob2xkIGZvciBldmVyeXRoaW5n';
const SECONDS = 1_782_907_200;
const now = (): number => SECONDS * 1000;
const verifier = createVerifier({ secrets: SECRET, now });

const ids = fc
  .string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength: 256,
  })
  .filter((id) => !id.includes(','));
const bodies = fc.uint8Array({ maxLength: 2000 });

function verdict(headers: HeaderSource, body: Uint8Array): string {
  try {
    verifier.verifySignature(headers, body);
    return 'accepted';
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.code;
    throw error;
  }
}

function flipBit(bytes: Uint8Array, position: number): Buffer {
  const flipped = Buffer.from(bytes);
  const index = Math.floor(position / 8) % flipped.length;
  flipped.writeUInt8(flipped.readUInt8(index) ^ (1 << (position % 8)), index);
  return flipped;
}

test('accepts every correctly signed id and body', () => {
  fc.assert(
    fc.property(ids, bodies, fc.integer({ min: -300, max: 300 }), (id, body, offset) => {
      const timestamp = SECONDS + offset;
      const headers = sign({ secret: SECRET, id, timestamp, body });
      expect(verifier.verifySignature(headers, body)).toEqual({ id, timestamp, secretIndex: 0 });
    }),
  );
});

test('refuses a change of one bit in body, id, timestamp or signature', () => {
  fc.assert(
    fc.property(ids, fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.nat(), (id, body, bit) => {
      const headers = sign({ secret: SECRET, id, timestamp: SECONDS, body });
      expect(verdict(headers, flipBit(body, bit))).toBe('signature_mismatch');
      for (const [name, value] of Object.entries(headers)) {
        const flipped = flipBit(Buffer.from(value), bit).toString('latin1');
        // Only the case bit of a hex letter has no meaning.
        if (
          flipped.toLowerCase() === value &&
          name === 'webhook-signature' &&
          flipped.startsWith('v')
        )
          continue;
        expect(verdict({ ...headers, [name]: flipped }, body)).not.toBe('accepted');
      }
    }),
    { numRuns: 1000 },
  );
});

test('gives the same verdict for header names in any case', () => {
  const names = fc.tuple(
    fc.mixedCase(fc.constant('webhook-id')),
    fc.mixedCase(fc.constant('webhook-timestamp')),
    fc.mixedCase(fc.constant('webhook-signature')),
  );
  fc.assert(
    fc.property(names, bodies, fc.boolean(), ([id, timestamp, signature], body, right) => {
      const signed = sign({ secret: SECRET, id: 'whev_1', timestamp: SECONDS, body });
      const values = {
        [id]: right ? 'whev_1' : 'whev_2',
        [timestamp]: signed['webhook-timestamp'],
        [signature]: signed['webhook-signature'],
      };
      const expected = right ? 'accepted' : 'signature_mismatch';
      expect(verdict(values, body)).toBe(expected);
      expect(verdict({ rawHeaders: Object.entries(values).flat() }, body)).toBe(expected);
    }),
  );
});

test('refuses random headers with a code and no other error', () => {
  const name = fc.oneof(
    fc.constantFrom(
      'webhook-id',
      'Webhook-Timestamp',
      'webhook-signature',
      'get',
      'rawHeaders',
      '__proto__',
      'length',
    ),
    fc.string(),
  );
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.string()),
    fc.constantFrom('v1,', 'v1', '0', ''),
  );
  const record = fc.array(fc.tuple(name, value)).map((pairs) => Object.fromEntries(pairs));
  const junk = fc.oneof(
    record,
    fc.array(fc.string()).map((rawHeaders) => ({ rawHeaders })),
  );
  fc.assert(
    fc.property(junk, (headers) => {
      expect(verdict(headers, Buffer.from('{}'))).not.toBe('accepted');
    }),
    { numRuns: 1000 },
  );
});

test('refuses header values of any type with a code', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.constantFrom('webhook-id', 'webhook-timestamp', 'webhook-signature'),
        fc.anything(),
      ),
      (headers) => {
        const untyped = headers as Record<string, string>;
        expect(verdict(untyped, new Uint8Array())).not.toBe('accepted');
      },
    ),
  );
});

test('computes the MAC of node:crypto for any key and for bodies on both sides of every boundary', () => {
  const length = fc.oneof(
    fc.integer({ min: 0, max: 200 }),
    fc.integer({ min: 16_380, max: 16_390 }),
    fc.constant(300_000),
  );
  const secrets = fc.string({
    unit: fc.constantFrom('a', 'Z', '0', 'é', '😀'),
    minLength: 1,
    maxLength: 80,
  });
  fc.assert(
    fc.property(secrets, length, fc.nat(255), (tail, bodyLength, fill) => {
      const secret = `whsec_${tail}`;
      const body = Buffer.alloc(bodyLength, fill);
      const digest = createHmac('sha256', secret)
        .update(`whev_1.${SECONDS}.`)
        .update(body)
        .digest('hex');
      const headers = {
        'webhook-id': 'whev_1',
        'webhook-timestamp': String(SECONDS),
        'webhook-signature': `v1,${digest}`,
      };
      expect(createVerifier({ secrets: secret, now }).verifySignature(headers, body).id).toBe(
        'whev_1',
      );
    }),
    { numRuns: 300 },
  );
});

test('returns every built event unchanged', () => {
  const statuses = fc.array(fc.constantFrom(...RUN_STATUSES), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(statuses, fc.jsonValue(), (path, output) => {
      for (const event of runTimeline(path, { run: { output } })) {
        const { headers, body } = signEvent(event, { secret: SECRET, now });
        expect(verify(body, headers, { secrets: SECRET, now })).toEqual(
          JSON.parse(body.toString()),
        );
      }
    }),
  );
});

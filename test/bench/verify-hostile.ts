import { WebhookVerificationError, createVerifier } from '@hookproof/receiver/verify';
import { atMost } from './bench.ts';
import type { Bench } from './bench.ts';
import { compare } from './compare.ts';
import { deliveryOf, SECRET } from './delivery.ts';

const HEADER_BYTES = 16_384;
const BODY_BYTES = 1_048_576;

/** Compares long hostile headers with a delivery that is refused because of its digest. */
export const verifyHostile: Bench = {
  title: `verify: a header of ${HEADER_BYTES} bytes with a body of ${BODY_BYTES} bytes`,
  run(processorTime) {
    const verifier = createVerifier({ secrets: SECRET });
    const { headers, body } = deliveryOf(BODY_BYTES);
    const refuse = (changes: Readonly<Record<string, string>>) => () => {
      try {
        verifier.verifySignature({ ...headers, ...changes }, body);
      } catch (error) {
        if (error instanceof WebhookVerificationError) return;
        throw error;
      }
      throw new Error('accepted');
    };
    const signature = `v1,${'0'.repeat(64)}`;
    const hostile = {
      'a long signature': { 'webhook-signature': signature.padEnd(HEADER_BYTES, '0') },
      'many signatures': {
        'webhook-signature': `${signature} `.repeat(HEADER_BYTES / (signature.length + 1)),
      },
      'a long id': { 'webhook-id': 'x'.repeat(HEADER_BYTES), 'webhook-signature': signature },
      'a long timestamp': { 'webhook-timestamp': '1'.repeat(HEADER_BYTES) },
    };
    const result = compare<string>(
      {
        'wrong digest': refuse({ 'webhook-signature': signature }),
        ...Object.fromEntries(
          Object.entries(hostile).map(([name, changes]) => [name, refuse(changes)]),
        ),
      },
      processorTime,
    );
    return Promise.resolve(
      Object.keys(hostile).map((name) => {
        const cost = result.ratio('wrong digest', name);
        return {
          what: `refusing ${name}`,
          measured: `${(1e6 / result.perSecond(name)).toFixed(1)} µs`,
          against: `a wrong digest ${(1e6 / result.perSecond('wrong digest')).toFixed(1)} µs`,
          ratio: cost,
          bar: atMost(1.2, cost),
        };
      }),
    );
  },
};

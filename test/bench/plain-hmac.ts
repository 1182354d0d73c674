import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { BenchDelivery } from './delivery.ts';

/**
 * Lower bound: a minimal verification with given header values. It reads no headers and checks neither their
 * format nor the time.
 */
export function plainHmac(secret: string): (delivery: BenchDelivery) => boolean {
  const key = createSecretKey(Buffer.from(secret));
  return ({ id, timestamp, signature, body }) => {
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
    const computed = mac.digest();
    const received = Buffer.from(signature.slice(3), 'hex');
    return computed.length === received.length && timingSafeEqual(computed, received);
  };
}

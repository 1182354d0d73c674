import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { BenchDelivery } from './delivery.ts';

/**
 * The floor: what a careful person writes by hand once the header values are at hand, and nothing more.
 * It reads no headers and checks no form and no time.
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

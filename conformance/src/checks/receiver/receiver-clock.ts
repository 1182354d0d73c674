import type { ReceiverClient } from '../../clients/receiver-client.ts';
import type { CheckContext } from '../../check-kit/check.ts';

/**
 * The receiver's present in whole seconds. The Date header that it is measured by shows the second
 * alone, so the receiver may be up to a second further on; without one its clock is taken to be ours.
 */
export function receiverSeconds(context: CheckContext): number {
  const receiver: ReceiverClient = context.receiver;
  return Math.floor((context.now() + (receiver.clockOffsetMilliseconds ?? 0)) / 1000);
}

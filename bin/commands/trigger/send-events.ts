import type { EventCreation, SentEvent } from '@hookproof/spec/control';

import type { Scenario } from '@hookproof/spec/scenarios';
import { A_DAY_MILLISECONDS } from './sending.ts';
import type { Sending } from './sending.ts';

/** Sends payloads as events, each after the first attempt of the one before. */
export async function sendEvents(
  payloads: readonly string[],
  { fault, missing, isReversed = false }: Pick<Scenario, 'fault' | 'missing' | 'isReversed'>,
  { target, firstAttempts, sent }: Sending,
): Promise<void> {
  const inOrder = [...payloads.entries()];
  for (const [place, payload] of isReversed ? inOrder.toReversed() : inOrder) {
    const isHeld = place === missing;
    const deliveryFaults: EventCreation['deliveryFaults'] = [
      ...(fault === undefined ? [] : [fault]),
      ...(isHeld ? [{ name: 'delay', milliseconds: A_DAY_MILLISECONDS } as const] : []),
    ];
    const order: EventCreation = { payload, deliveryFaults };
    const { deliveries } = await target.control<SentEvent>('POST', '/events', order);
    sent(
      deliveries.map(({ id }) => id),
      isHeld,
    );
    await firstAttempts();
  }
}

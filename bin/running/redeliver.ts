import type { AttemptRow, Delivery } from '@hookproof/spec/control';

import { UsageError } from '../command-line/errors.ts';
import { deliveryOf, LAST } from './delivery.ts';
import type { RunningControl } from './running-control.ts';
import { watchAttempts } from './watch-attempts.ts';

/** An attempt has a deadline of 10 s. */
const WAIT_MILLISECONDS = 15_000;

/**
 * Makes one more attempt of some deliveries, and waits for them.
 *
 * @param which - `last`, `ended`, or the ID of a delivery or of an event
 * @param show - called with each attempt of these deliveries, also those that were made before
 * @returns the new attempt of each delivery; undefined for one that was not made in time
 * @throws {UsageError} if the server has no such delivery
 */
export async function redeliver(
  which: string,
  server: RunningControl,
  show: (attempt: AttemptRow) => void = () => {},
): Promise<readonly (AttemptRow | undefined)[]> {
  const ids = (await deliveriesOf(which, server)).map(({ id }) => id);
  const watched = await watchAttempts(server, show);
  try {
    watched.add(ids);
    for (const id of ids) await server.control('POST', `/deliveries/${id}/redeliver`, {});
    const manual = (id: string) => watched.of(id).find(({ trigger }) => trigger === 'manual');
    const areMade = (): boolean => ids.every((id) => manual(id) !== undefined);
    await watched.until(areMade, WAIT_MILLISECONDS);
    return ids.map(manual);
  } finally {
    watched.close();
  }
}

async function deliveriesOf(which: string, server: RunningControl): Promise<Delivery[]> {
  if (which === LAST || which.startsWith('dlv_')) return [await deliveryOf(which, server)];
  const isEvent = which.startsWith('whev_');
  if (!isEvent && which !== 'ended') {
    throw new UsageError(
      `redeliver must be followed by last, ended, or the ID of a delivery (dlv_…) or event (whev_…), got ${which}.`,
    );
  }
  const query = isEvent ? `eventId=${encodeURIComponent(which)}` : 'status=ended';
  const { data } = await server.control<{ data: Delivery[] }>('GET', `/deliveries?${query}`);
  if (data.length > 0) return data;
  throw new UsageError(
    isEvent
      ? `The server has no delivery of event ${which}. Copy an id from a line of hookproof trigger --json.`
      : 'No delivery has ended without a 2xx, so there is nothing to send again.',
  );
}

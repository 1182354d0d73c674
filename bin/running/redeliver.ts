import type { AttemptRow, Delivery } from '@hookproof/spec/control';

import { UsageError } from '../command-line/errors.ts';
import { deliveryOf } from './delivery.ts';
import type { RunningControl } from './running-control.ts';
import { watchAttempts } from './watch-attempts.ts';

/** What can be repeated without an ID. */
const QUERIES: ReadonlyMap<string, string> = new Map([
  ['last', 'order=newest&limit=1'],
  ['ended', 'status=ended'],
]);
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
  if (which.startsWith('dlv_')) return [await deliveryOf(which, server)];
  const { control } = server;
  const list = async (query: string) =>
    (await control<{ data: Delivery[] }>('GET', `/deliveries?${query}`)).data;
  const isEvent = which.startsWith('whev_');
  const query = isEvent ? `eventId=${encodeURIComponent(which)}` : QUERIES.get(which);
  if (query === undefined) {
    throw new UsageError(
      `redeliver must be followed by last, ended, or the ID of a delivery (dlv_…) or event (whev_…), got ${which}.`,
    );
  }
  const found = await list(query);
  if (found.length > 0) return found;
  throw new UsageError(
    isEvent
      ? `The server has no delivery of event ${which}. Copy an id from a line of hookproof trigger --json.`
      : `The server needs a delivery for ${which}, got none. Make one with hookproof trigger.`,
  );
}

import type { Delivery } from '@hookproof/spec/control';

import { UsageError } from '../command-line/errors.ts';
import { controlCalls } from './control-calls.ts';
import type { RunningServer } from './server-file.ts';

/** The newest delivery, instead of an ID. */
export const LAST = 'last';

/**
 * Returns a delivery of a running server.
 *
 * @param id - the ID of a delivery, or {@link LAST}
 * @throws {UsageError} if the server has no such delivery
 */
export async function deliveryOf(
  id: string,
  server: Pick<RunningServer, 'baseUrl' | 'controlUrl' | 'controlToken'>,
): Promise<Delivery> {
  const control = controlCalls(
    server,
    ({ message }) =>
      new UsageError(
        `The delivery must be one of the server at ${server.baseUrl}, got ${id}: ${message}. Copy an id from its dashboard, or from hookproof trigger --json.`,
      ),
  );
  if (id !== LAST) return control('GET', `/deliveries/${encodeURIComponent(id)}`);
  const { data } = await control<{ data: Delivery[] }>('GET', '/deliveries?order=newest&limit=1');
  const [last] = data;
  if (last === undefined) {
    throw new UsageError('There is no delivery yet. Make one with hookproof trigger.');
  }
  return last;
}

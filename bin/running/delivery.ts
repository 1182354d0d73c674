import type { Delivery } from '@hookproof/spec/control';

import { UsageError } from '../command-line/errors.ts';
import { controlCalls } from './control-calls.ts';
import type { RunningServer } from './server-file.ts';

/**
 * Returns a delivery of a running server.
 *
 * @throws {UsageError} if the server has no delivery of this id
 */
export function deliveryOf(id: string, server: RunningServer): Promise<Delivery> {
  const control = controlCalls(
    server,
    ({ message }) =>
      new UsageError(
        `The delivery must be one of the server at ${server.baseUrl}, got ${id}: ${message}. Copy an id from its dashboard, or from hookproof trigger --json.`,
      ),
  );
  return control('GET', `/deliveries/${encodeURIComponent(id)}`);
}

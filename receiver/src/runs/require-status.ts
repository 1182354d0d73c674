import { RUN_STATUSES } from '../generated/constants.ts';
import type { RunStatus } from '../generated/run-events.ts';

/**
 * Returns the status of a run that names a handler.
 *
 * @throws {TypeError} When it is none.
 */
export function requireStatus(handler: unknown): RunStatus {
  const status = RUN_STATUSES.find((each) => each === handler);
  if (status !== undefined) return status;
  throw new TypeError(
    `handler must be the status of a run (${RUN_STATUSES.join(', ')}), got ${JSON.stringify(handler)}. Leave it out for all, or name the source of another type.`,
  );
}

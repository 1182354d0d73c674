import type { State } from '../store/state.ts';
import { STORAGE_PREFIX, expiryAfter, signAddress } from './signed-address.ts';

/** When an address is given out, in milliseconds since the epoch, and how long it is good for. */
interface Lifetime {
  readonly now: number;
  readonly seconds: number;
}

/**
 * The address, behind the origin of the server, that gives the archive of a dataset without an API key.
 *
 * @param exampleIds - of the examples that it opens; null for the whole dataset
 */
export function exportAddress(
  state: State,
  automationId: string,
  exampleIds: readonly string[] | null,
  { now, seconds }: Lifetime,
): string {
  const grant = {
    method: 'GET',
    path: `${STORAGE_PREFIX}/exports/${automationId}`,
    expires: expiryAfter(now, seconds),
  } as const;
  // Ids need no escape, and the address must not outgrow what a server takes.
  const query = exampleIds === null ? {} : { query: `exampleIds=${exampleIds.join(',')}` };
  return signAddress({ ...grant, ...query }, state.ids.seed);
}

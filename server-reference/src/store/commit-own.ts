import type { Logger } from '../logger.ts';
import type { DeepReadonly } from './read-only.ts';
import type { State } from './state.ts';
import { isWriteFailure } from './store.ts';
import type { Store } from './store.ts';

interface CommitServices {
  readonly store: Store;
  readonly logger: Logger;
}

/**
 * Commits a change of the server itself. A write that fails is logged, and the server goes on: the change is in memory,
 * and the next write has it.
 *
 * @returns the result of `mutate`
 * @throws the error of `mutate`
 */
export function commitOwn<T>(
  services: CommitServices,
  mutate: (state: State) => T,
): Promise<DeepReadonly<T>>;
export async function commitOwn(
  { store, logger }: CommitServices,
  mutate: (state: State) => unknown,
): Promise<unknown> {
  let result: unknown;
  try {
    return await store.commit((state) => {
      result = mutate(state);
      return result;
    });
  } catch (error) {
    if (!isWriteFailure(error)) throw error;
    logger.error('A change of the server could not be written. The next write has it.', error);
    return result;
  }
}

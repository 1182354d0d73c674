import { Low, Memory } from 'lowdb';

import { groupCommitStore } from './group-commit.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';

/** A store that forgets everything when the process ends. For tests and short trials. */
export function createMemoryStore(initial: State): Store {
  return groupCommitStore(new Low<State>(new Memory<State>(), initial), async () => {});
}

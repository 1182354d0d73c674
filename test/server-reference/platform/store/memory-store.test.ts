import { createMemoryStore } from '../../../../server-reference/src/platform/store/group-commit.ts';
import { emptyState } from '../../../../server-reference/src/platform/state/state.ts';
import { storeContract } from './store-contract.ts';

storeContract('the memory store', async () => createMemoryStore(emptyState(1, 'token')));

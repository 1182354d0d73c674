import { createMemoryStore } from '../../../server-reference/src/store/open-storage.ts';
import { emptyState } from '../../../server-reference/src/store/state.ts';
import { storeContract } from './store-contract.ts';

storeContract('the memory store', async () => createMemoryStore(emptyState(1, 'token')));

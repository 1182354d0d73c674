import { openStorage } from '../../../server-reference/src/store/open-storage.ts';
import { emptyState } from '../../../server-reference/src/store/state.ts';
import { storeContract } from './store-contract.ts';

storeContract('the memory store', async () => {
  const { store } = await openStorage({ kind: 'memory' }, emptyState(1, 'token'));
  return store;
});

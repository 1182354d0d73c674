import { storeContract } from '@hookproof/receiver/store-contract';
import { redisStore } from '@hookproof/receiver/redis';
import { test } from 'vitest';

import { describeWith } from '../../../services/local-server.ts';
import { CLIENTS, freshName, sharedRedis } from './redis-server.ts';

describeWith('redis').each(Object.entries(CLIENTS))('the Redis store with %s', (_name, connect) => {
  storeContract({
    test,
    create: async () =>
      redisStore({ client: await connect(await sharedRedis()), name: freshName() }),
  });
});

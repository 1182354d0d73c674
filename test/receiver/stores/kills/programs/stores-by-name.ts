import type { Store } from '@hookproof/receiver';
import { redisStore } from '@hookproof/receiver/redis';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { Redis } from 'ioredis';

/** The durable stores by name. `address` is a file or the URL of a server. */
export const STORES: Readonly<Record<string, (address: string) => Store>> = {
  sqlite: (file) => sqliteStore({ file }),
  redis: (url) => redisStore({ client: new Redis(url) }),
};

import type { Store } from '@hookproof/receiver';
import { sqliteStore } from '@hookproof/receiver/sqlite';

/** The durable stores by name. `address` is a file or the URL of a server. */
export const STORES: Readonly<Record<string, (address: string) => Store>> = {
  sqlite: (file) => sqliteStore({ file }),
};

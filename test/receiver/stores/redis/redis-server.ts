import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { onTestFinished } from 'vitest';

import type { RedisClient } from '@hookproof/receiver/redis';

import { startServer } from '../../../services/local-server.ts';
import type { LocalServer } from '../../../services/local-server.ts';

/** The settings that the store asks for. */
export const DURABLE = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''] as const;

let shared: Promise<LocalServer> | null = null;
let names = 0;

/** Returns the address of a durable server that all tests of this process share. */
export async function sharedRedis(): Promise<string> {
  shared ??= startServer('redis', DURABLE);
  return (await shared).url;
}

/** Returns a name that no other store of this process has. */
export function freshName(): string {
  names += 1;
  return `test-${names}`;
}

/** The libraries that the store works with, each as a function that connects. */
export const CLIENTS = {
  async ioredis(url: string): Promise<RedisClient> {
    const client = new Redis(url);
    client.on('error', () => undefined);
    atEnd(() => client.disconnect());
    return client;
  },
  async 'ioredis with protocol 3'(url: string): Promise<RedisClient> {
    const client = new Redis(url, { protocol: 3, replyMapping: 'resp3' });
    client.on('error', () => undefined);
    atEnd(() => client.disconnect());
    return client;
  },
  async 'ioredis with a key prefix'(url: string): Promise<RedisClient> {
    const client = new Redis(url, { keyPrefix: 'app:' });
    client.on('error', () => undefined);
    atEnd(() => client.disconnect());
    return client;
  },
  async redis(url: string): Promise<RedisClient> {
    const client = createClient({ url });
    client.on('error', () => undefined);
    await client.connect();
    atEnd(() => client.destroy());
    return client;
  },
} as const;

function atEnd(end: () => void): void {
  onTestFinished(end);
}

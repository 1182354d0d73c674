import { createIngress, createProcessor, createReceiver } from '@hookproof/receiver';
import { fastifyPlugin } from '@hookproof/receiver/fastify';
import { fetchHandler } from '@hookproof/receiver/fetch';
import { fetchRunFrom } from '@hookproof/receiver/fetch-run';
import { koaMiddleware } from '@hookproof/receiver/koa';
import { lambdaHandler } from '@hookproof/receiver/lambda';
import { memoryStore } from '@hookproof/receiver/memory';
import { nodeHandler } from '@hookproof/receiver/node';
import { postgresStore } from '@hookproof/receiver/postgres';
import { redisStore } from '@hookproof/receiver/redis';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { runTimeline } from '@hookproof/receiver/testing';
import { createVerifier, verify } from '@hookproof/receiver/verify';
import { expect, test } from 'vitest';

import { SECRET } from './started-receiver.ts';

const options = { secrets: SECRET, store: memoryStore() };
const receiver = createReceiver(options);
const quoted = `"${SECRET}"`;

/** Calls as a program in JavaScript makes them: without types. */
const call = (value: unknown, ...values: readonly unknown[]): unknown =>
  typeof value === 'function' ? Reflect.apply(value, undefined, values) : undefined;

const RECEIVER = 'receiver must be what createReceiver() or createIngress() returned, got ';
const SECRET_FORM = 'secrets[0] must be whsec_… without whitespace around it, got ';
const FILE = "file must be the path of a database file, such as 'events.db', got ";

test.each<[string, () => unknown, string]>([
  ['sqliteStore()', () => call(sqliteStore), 'options must be an object with file, got undefined.'],
  [
    "sqliteStore('x')",
    () => call(sqliteStore, 'x'),
    'options must be an object with file, got string.',
  ],
  [
    'sqliteStore({ path })',
    () => call(sqliteStore, { path: 'x' }),
    'Unknown option "path". Did you mean file?',
  ],
  [
    'sqliteStore({})',
    () => call(sqliteStore, {}),
    `${FILE}undefined. To keep events in memory use memoryStore().`,
  ],
  ['a SQLite in memory', () => sqliteStore({ file: ':memory:' }), `${FILE}":memory:". To keep`],
  [
    'postgresStore()',
    () => call(postgresStore),
    'options must be an object with pool, sql, schema',
  ],
  [
    'an URL for a pool',
    () => call(postgresStore, { pool: 'postgres://db' }),
    'pool must be a Pool of pg: new Pool({ connectionString }), got string.',
  ],
  [
    'an URL for sql',
    () => call(postgresStore, { sql: 'postgres://db' }),
    'sql must be what postgres(url) of postgres returned, got string.',
  ],
  [
    'an URL for Redis',
    () => call(redisStore, { client: 'redis://db' }),
    'client must be a client of ioredis or redis, got another value. Pass new Redis(url)',
  ],
  ['createReceiver()', () => call(createReceiver), 'options must be an object with store'],
  [
    'no secret',
    () => call(createReceiver, { store: options.store }),
    `${SECRET_FORM}undefined. Check its environment variable.`,
  ],
  [
    'an empty secret',
    () => createReceiver({ ...options, secrets: '' }),
    `${SECRET_FORM}an empty string.`,
  ],
  [
    'a secret in quotes',
    () => createReceiver({ ...options, secrets: quoted }),
    `${SECRET_FORM}a string in quotes.`,
  ],
  [
    'a secret without prefix',
    () => createReceiver({ ...options, secrets: 'abc' }),
    `${SECRET_FORM}a string without whsec_.`,
  ],
  [
    'a secret with a newline',
    () => createReceiver({ ...options, secrets: `${SECRET}\n` }),
    `${SECRET_FORM}a string with whitespace around it.`,
  ],
  [
    'the same secret twice',
    () => createReceiver({ ...options, secrets: [SECRET, SECRET] }),
    'secrets[1] must be another secret than secrets[0], got the same. Leave one of them out.',
  ],
  [
    'no store',
    () => call(createReceiver, { secrets: SECRET }),
    'store must be a store, got undefined. Use sqliteStore({ file })',
  ],
  [
    'a store that is not called',
    () => call(createReceiver, { ...options, store: memoryStore }),
    'store must be a store, got function. Call it',
  ],
  [
    'Date for a clock',
    () => call(createReceiver, { ...options, clock: Date }),
    'clock must have the methods now, monotonic, setTimeout, clearTimeout',
  ],
  [
    'a number as text',
    () => call(createReceiver, { ...options, maxAttempts: '8' }),
    'maxAttempts must be a positive integer, got "8".',
  ],
  [
    'a short name',
    () => call(createReceiver, { ...options, timeoutMs: 1 }),
    'Unknown option "timeoutMs". ',
  ],
  [
    'an unknown handler',
    () => call(createReceiver, { ...options, handlers: { complete() {} } }),
    'Unknown handler "complete"; expected one of',
  ],
  ['createProcessor()', () => call(createProcessor), 'options must be an object with store'],
  ['createIngress()', () => call(createIngress), 'options must be an object with verifier, sink'],
  ['createVerifier()', () => call(createVerifier), 'options must be an object with secrets'],
  ['fetchRunFrom()', () => call(fetchRunFrom), 'options must be an object with baseUrl, key'],
  ['nodeHandler()', () => call(nodeHandler), `${RECEIVER}undefined. Create it before its adapter.`],
  ['fetchHandler()', () => call(fetchHandler), `${RECEIVER}undefined.`],
  ['lambdaHandler()', () => call(lambdaHandler), `${RECEIVER}undefined.`],
  ['koaMiddleware()', () => call(koaMiddleware), `${RECEIVER}undefined.`],
  [
    'a promise of a receiver',
    () => call(nodeHandler, Promise.resolve(receiver)),
    `${RECEIVER}a promise. Await it first.`,
  ],
  [
    'a path as text',
    () => call(nodeHandler, receiver, '/hooks'),
    'options must be an object with path, got string.',
  ],
  [
    'a misspelt path',
    () => call(koaMiddleware, receiver, { route: '/hooks' }),
    'Unknown option "route". Did you mean path?',
  ],
  [
    'fastifyPlugin(receiver)',
    () => call(fastifyPlugin, receiver),
    'options must be an object with path, got undefined.',
  ],
  [
    'no path for Fastify',
    () => call(fastifyPlugin, receiver, {}),
    'path must start with "/" and have no "?", got undefined.',
  ],
  [
    'a parsed body',
    () => call(verify, { id: 'whev_1' }, {}, { secrets: SECRET }),
    'rawBody must be a Buffer or Uint8Array, got Object. Take the bytes before any parser',
  ],
  [
    'a status for a timeline',
    () => call(runTimeline, 'pending'),
    "statuses must be a list such as ['pending', 'running'], got string.",
  ],
])('%s is refused with what to do', (_mistake, make, message) => {
  expect(make).toThrow(TypeError);
  expect(make).toThrow(message);
});

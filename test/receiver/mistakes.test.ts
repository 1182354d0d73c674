import { createIngress, createProcessor, createReceiver } from '@hookproof/receiver';
import { fastifyPlugin } from '@hookproof/receiver/fastify';
import { fetchHandler } from '@hookproof/receiver/fetch';
import { fetchRunFrom } from '@hookproof/receiver/fetch-run';
import { explainDelivery } from '@hookproof/receiver/explain';
import { createInbox } from '@hookproof/receiver/inbox';
import { koaMiddleware } from '@hookproof/receiver/koa';
import { lambdaHandler } from '@hookproof/receiver/lambda';
import { memoryStore } from '@hookproof/receiver/memory';
import { nodeHandler } from '@hookproof/receiver/node';
import { observeReceivers } from '@hookproof/receiver/otel';
import { postgresStore } from '@hookproof/receiver/postgres';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import {
  runTimeline,
  sign,
  signEvent,
  testReceiver,
  testSender,
} from '@hookproof/receiver/testing';
import { createVerifier, verify } from '@hookproof/receiver/verify';
import { expect, test } from 'vitest';

import { SECRET } from './started-receiver.ts';

const options = { secrets: SECRET, store: memoryStore() };
const receiver = createReceiver(options);

/** Calls as a program in JavaScript makes them: without types. */
const call = (value: unknown, ...values: readonly unknown[]): unknown =>
  typeof value === 'function' ? Reflect.apply(value, undefined, values) : undefined;

/** As `call`, for a method. */
const callOn = (object: object, method: string, ...values: readonly unknown[]): unknown =>
  call(Reflect.get(object, method), ...values);

const RECEIVER = 'receiver must be what createReceiver() or createIngress() returned, got ';
const SECRET_FORM = 'secrets must be whsec_… without whitespace around it, got ';
const LEAVE_OUT = 'Leave it out to choose from all.';
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
  [
    'the address of the command line',
    () => sqliteStore({ file: 'sqlite:events.db' }),
    `${FILE}"sqlite:events.db". Leave sqlite: out; only the command line takes it.`,
  ],
  [
    'a file: URL',
    () => sqliteStore({ file: 'file:events.db' }),
    `${FILE}"file:events.db". Leave file:`,
  ],
  ['a SQLite in memory', () => sqliteStore({ file: ':memory:' }), `${FILE}":memory:". To keep`],
  ['a file without a name', () => sqliteStore({ file: '' }), `${FILE}"". To keep`],
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
  ['createReceiver()', () => call(createReceiver), 'options must be an object with store'],
  [
    'no secret',
    () => call(createReceiver, { store: options.store }),
    `${SECRET_FORM}undefined. Check its environment variable.`,
  ],
  [
    'no store',
    () => call(createReceiver, { secrets: SECRET }),
    'store must be a store, got undefined. Use sqliteStore({ file })',
  ],
  [
    'a number as text',
    () => call(createReceiver, { ...options, retryForHours: '8' }),
    'retryForHours must be a number of at least 0, got "8".',
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
    'fastifyPlugin(undefined, { path })',
    () => call(fastifyPlugin, undefined, { path: '/hooks' }),
    `${RECEIVER}undefined.`,
  ],
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
  [
    'several secrets in one string',
    () => createReceiver({ ...options, secrets: `${SECRET},whsec_b3RoZXI` }),
    "secrets must be one secret, got several in one string. Pass a list, such as value.split(',').",
  ],
  [
    'explainRefusals as text',
    () => call(createReceiver, { ...options, explainRefusals: 'true' }),
    'explainRefusals must be true or false, got "true".',
  ],
  [
    "on('completed')",
    () => callOn(receiver, 'on', 'completed'),
    'handler must be a function, got undefined. Call on("completed", (event, context) => …).',
  ],
  [
    "on('complete', …)",
    () => callOn(receiver, 'on', 'complete', () => {}),
    'Unknown handler "complete". Did you mean completed?',
  ],
  [
    'start({ wrok })',
    () => callOn(receiver, 'start', { wrok: false }),
    'Unknown option "wrok". Did you mean work?',
  ],
  [
    'start({ work: 0 })',
    () => callOn(receiver, 'start', { work: 0 }),
    'work must be true or false, got 0.',
  ],
  [
    'start(false)',
    () => callOn(receiver, 'start', false),
    'options must be an object with work, got',
  ],
  [
    'work({ untill })',
    () => callOn(receiver, 'work', { untill: 1 }),
    'Unknown option "untill". Did you mean until?',
  ],
  [
    'a time as text',
    () => callOn(receiver, 'work', { until: '2026-07-01' }),
    'until must be a Date or milliseconds since the epoch, got 2026-07-01.',
  ],
  [
    'timeline()',
    () => callOn(receiver, 'timeline'),
    'runId must be a string, got undefined. Pass the id of a run: event.data.run.id.',
  ],
  [
    'inspect()',
    () => callOn(receiver, 'inspect'),
    'eventId must be a string, got undefined. Pass the',
  ],
  [
    'body()',
    () => callOn(receiver, 'body'),
    'eventId must be a string, got undefined. Pass the id',
  ],
  [
    'waiting({ first })',
    () => callOn(receiver, 'waiting', { first: 5 }),
    'Unknown option "first". Expected one of after, limit, source, runId, key, automationId.',
  ],
  [
    'a limit as text',
    () => callOn(receiver, 'waiting', { limit: '5' }),
    'limit must be a positive integer, got "5".',
  ],
  [
    'runs({ automation })',
    () => callOn(receiver, 'runs', { automation: 'wf_1' }),
    'Unknown option "automation". Did you mean automationId?',
  ],
  [
    'redrive()',
    () => callOn(receiver, 'redrive'),
    'filter must be an object with source, ids, reason',
  ],
  [
    'redrive(id)',
    () => callOn(receiver, 'redrive', 'whev_1'),
    'filter must be an object with source, ids, reason',
  ],
  ...['redrive', 'replay', 'discard'].flatMap((method): [string, () => unknown, string][] => [
    [
      `${method}([id]), which would be all`,
      () => callOn(receiver, method, ['whev_1']),
      ', got array. Pass { ids } to choose single events.',
    ],
    [
      `${method}(new Set()), which would be all`,
      () => callOn(receiver, method, new Set(['whev_1'])),
      ', got set. Pass { ids } to choose single events.',
    ],
    [
      `${method}() of a promise, which would be all`,
      () => callOn(receiver, method, Promise.resolve({ ids: [] })),
      ', got promise. Pass { ids } to choose single events.',
    ],
  ]),
  [
    'keepBodies',
    () => call(createReceiver, { ...options, keepBodies: '7d' }),
    'Unknown option "keepBodies". Did you mean keepBodiesDays?',
  ],
  [
    'keepBodiesDays as text',
    () => call(createReceiver, { ...options, keepBodiesDays: '7d' }),
    'keepBodiesDays must be a non-negative integer, got "7d".',
  ],
  [
    'one id for ids',
    () => callOn(receiver, 'redrive', { ids: 'whev_1' }),
    `ids must be a list of strings, got string. ${LEAVE_OUT}`,
  ],
  [
    'discard({ runId: undefined }), which would be all',
    () => callOn(receiver, 'discard', { runId: undefined }),
    `runId must be a string, got undefined. ${LEAVE_OUT}`,
  ],
  [
    'an unknown reason',
    () => callOn(receiver, 'deadLetters', { reason: 'failed' }),
    'reason must be one of handler_failed, output_invalid, event_quarantined, event_poisoned, got',
  ],
  [
    'replay({ since }) as text',
    () => callOn(receiver, 'replay', { since: '2026-07-01' }),
    'since must be a Date or milliseconds since the epoch, got 2026-07-01.',
  ],
  [
    'a dry run as text, which would be none',
    () => callOn(receiver, 'replay', {}, { dryRun: 'no' }),
    'dryRun must be true or false, got "no".',
  ],
  [
    'pause of a handler that none can be',
    () => callOn(receiver, 'pause', 'settled'),
    'handler must be the status of a run (',
  ],
  [
    'process()',
    () => callOn(createProcessor({ store: memoryStore() }), 'process'),
    'delivery must be an object with id, body, timestamp, got undefined.',
  ],
  [
    'a body that went through JSON',
    () => {
      const delivery = { id: 'whev_1', body: 'eyJpZCI6MX0', timestamp: 1 };
      return callOn(createProcessor({ store: memoryStore() }), 'process', delivery);
    },
    'body must be a Buffer or Uint8Array, got String.',
  ],
  [
    'a timestamp as text',
    () => {
      const delivery = { id: 'whev_1', body: new Uint8Array(), timestamp: '1' };
      return callOn(createProcessor({ store: memoryStore() }), 'process', delivery);
    },
    'timestamp must be whole seconds since the epoch, got "1". Pass the header webhook-timestamp',
  ],
  [
    'a timestamp in milliseconds',
    () => {
      const timestamp = Date.parse('2026-07-01T12:00:00Z');
      const delivery = { id: 'whev_1', body: new Uint8Array(), timestamp };
      return callOn(createProcessor({ store: memoryStore() }), 'process', delivery);
    },
    'timestamp must be whole seconds since the epoch, got 1782907200000. Pass the header',
  ],
  ['createInbox()', () => call(createInbox), 'source must be what createReceiver()'],
  [
    'an inbox for everybody',
    () => call(createInbox, receiver, {}),
    'authorize must be a function, got undefined.',
  ],
  [
    'testSender without a receiver',
    () => call(testSender, { receiver: undefined, secret: SECRET }),
    `${RECEIVER}undefined.`,
  ],
  [
    'testSender without a secret',
    () => call(testSender, { receiver }),
    'secret must be a string, got undefined. Pass the secret of the receiver.',
  ],
  [
    'deliver()',
    async () => {
      const app = await testReceiver();
      try {
        await callOn(app, 'deliver');
      } finally {
        await app.close();
      }
    },
    "events must be a list such as runTimeline(['pending', 'running']), got undefined.",
  ],
  ['sign()', () => call(sign), 'options must be an object with secret, id, timestamp, …'],
  ['signEvent()', () => call(signEvent), 'event must be an object with id, type, data'],
  [
    'signEvent(event)',
    () => call(signEvent, ...runTimeline(['pending'])),
    'options must be an object with secret',
  ],
  [
    'explainDelivery()',
    () => call(explainDelivery),
    'delivery must be an object with headers, rawBody',
  ],
  [
    'observeReceivers()',
    () => call(observeReceivers),
    'api must be the module @opentelemetry/api, got another value.',
  ],
])('%s is refused with what to do', async (_mistake, make, message) => {
  const made = (async () => make())();
  await expect(made).rejects.toThrow(TypeError);
  await expect(made).rejects.toThrow(message);
});

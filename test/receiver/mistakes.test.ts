import { inspect } from 'node:util';

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

/** One wrong option beside right ones. */
const WRONG_OPTIONS: readonly object[] = [
  { handlers: null },
  { handlers: { running: 'no' } },
  { handlers: { 'run.status_change': () => {} } },
  { store: {} },
  { store: memoryStore },
  { clock: { now: () => 0, setTimeout: () => {}, clearTimeout: () => {} } },
  { mode: 'fast' },
  { gapGraceMilliseconds: -1 },
  { gapGraceMs: 1 },
  { secret: 'whsec_x' },
  { handlerTimeoutMilliseconds: 2 ** 31 },
  { onError: 'x' },
  { fetchRun: 'x' },
  { retryForHours: -1 },
  { bodyLimitBytes: '1' },
  { rotationUntil: '2026-07-01' },
  { rotationUntil: new Date('soon') },
];

const WRONG_SECRETS: readonly object[] = [
  { secrets: undefined },
  { secrets: [] },
  { secrets: Array.from({ length: 9 }, (_, index) => `whsec_${index}`) },
  { secrets: '' },
  { secrets: 'whsec_' },
  { secrets: ['whsec_a', 'c2VjcmV0'] },
  { secrets: 'whsec_a\n' },
  { secrets: '"whsec_a"' },
  { secrets: ['whsec_a', 'whsec_a'] },
  { secrets: [undefined] },
  { secrets: 'whsec_not*base64', secretEncoding: 'base64' },
  { secrets: 'whsec_a', secretEncoding: 'hex' },
  ...[-1, 0.5, Number.NaN, Infinity].map((toleranceSeconds) => ({
    secrets: 'whsec_a',
    toleranceSeconds,
  })),
];

const MISTAKES: Readonly<Record<string, () => unknown>> = {
  ...Object.fromEntries(
    WRONG_SECRETS.map((wrong) => [
      `createVerifier(${inspect(wrong, { breakLength: Infinity, compact: true })})`,
      () => call(createVerifier, wrong),
    ]),
  ),
  ...Object.fromEntries(
    WRONG_OPTIONS.map((wrong) => [
      `createReceiver(${inspect(wrong, { breakLength: Infinity, compact: true })})`,
      () => call(createReceiver, { ...options, ...wrong }),
    ]),
  ),
  'sqliteStore()': () => call(sqliteStore),
  "sqliteStore('x')": () => call(sqliteStore, 'x'),
  'sqliteStore({ path })': () => call(sqliteStore, { path: 'x' }),
  'sqliteStore({})': () => call(sqliteStore, {}),
  'the address of the command line': () => sqliteStore({ file: 'sqlite:events.db' }),
  'a file: URL': () => sqliteStore({ file: 'file:events.db' }),
  'a SQLite in memory': () => sqliteStore({ file: ':memory:' }),
  'a file without a name': () => sqliteStore({ file: '' }),
  'postgresStore()': () => call(postgresStore),
  'an URL for a pool': () => call(postgresStore, { pool: 'postgres://db' }),
  'an URL for sql': () => call(postgresStore, { sql: 'postgres://db' }),
  'createReceiver()': () => call(createReceiver),
  'no secret': () => call(createReceiver, { store: options.store }),
  'no store': () => call(createReceiver, { secrets: SECRET }),
  'a number as text': () => call(createReceiver, { ...options, retryForHours: '8' }),
  'createProcessor()': () => call(createProcessor),
  'createIngress()': () => call(createIngress),
  'createVerifier()': () => call(createVerifier),
  'fetchRunFrom()': () => call(fetchRunFrom),
  'nodeHandler()': () => call(nodeHandler),
  'fetchHandler()': () => call(fetchHandler),
  'lambdaHandler()': () => call(lambdaHandler),
  'koaMiddleware()': () => call(koaMiddleware),
  'fastifyPlugin(undefined, { path })': () => call(fastifyPlugin, undefined, { path: '/hooks' }),
  'a promise of a receiver': () => call(nodeHandler, Promise.resolve(receiver)),
  'a path as text': () => call(nodeHandler, receiver, '/hooks'),
  'a misspelt path': () => call(koaMiddleware, receiver, { route: '/hooks' }),
  'fastifyPlugin(receiver)': () => call(fastifyPlugin, receiver),
  'no path for Fastify': () => call(fastifyPlugin, receiver, {}),
  'a parsed body': () => call(verify, { id: 'whev_1' }, {}, { secrets: SECRET }),
  'a status for a timeline': () => call(runTimeline, 'pending'),
  'several secrets in one string': () =>
    createReceiver({ ...options, secrets: `${SECRET},whsec_b3RoZXI` }),
  'explainRefusals as text': () => call(createReceiver, { ...options, explainRefusals: 'true' }),
  "on('completed')": () => callOn(receiver, 'on', 'completed'),
  "on('complete', …)": () => callOn(receiver, 'on', 'complete', () => {}),
  'start({ wrok })': () => callOn(receiver, 'start', { wrok: false }),
  'start({ work: 0 })': () => callOn(receiver, 'start', { work: 0 }),
  'start(false)': () => callOn(receiver, 'start', false),
  'work({ untill })': () => callOn(receiver, 'work', { untill: 1 }),
  'a time as text': () => callOn(receiver, 'work', { until: '2026-07-01' }),
  'timeline()': () => callOn(receiver, 'timeline'),
  'inspect()': () => callOn(receiver, 'inspect'),
  'body()': () => callOn(receiver, 'body'),
  'waiting({ first })': () => callOn(receiver, 'waiting', { first: 5 }),
  'a limit as text': () => callOn(receiver, 'waiting', { limit: '5' }),
  'runs({ automation })': () => callOn(receiver, 'runs', { automation: 'wf_1' }),
  'redrive()': () => callOn(receiver, 'redrive'),
  'redrive(id)': () => callOn(receiver, 'redrive', 'whev_1'),
  ...Object.fromEntries(
    ['redrive', 'replay', 'discard'].flatMap((method) => [
      [`${method}([id]), which would be all`, () => callOn(receiver, method, ['whev_1'])],
      [
        `${method}(new Set()), which would be all`,
        () => callOn(receiver, method, new Set(['whev_1'])),
      ],
      [
        `${method}() of a promise, which would be all`,
        () => callOn(receiver, method, Promise.resolve({ ids: [] })),
      ],
    ]),
  ),
  keepBodies: () => call(createReceiver, { ...options, keepBodies: '7d' }),
  'keepBodiesDays as text': () => call(createReceiver, { ...options, keepBodiesDays: '7d' }),
  'one id for ids': () => callOn(receiver, 'redrive', { ids: 'whev_1' }),
  'discard({ runId: undefined }), which would be all': () =>
    callOn(receiver, 'discard', { runId: undefined }),
  'an unknown reason': () => callOn(receiver, 'deadLetters', { reason: 'failed' }),
  'replay({ since }) as text': () => callOn(receiver, 'replay', { since: '2026-07-01' }),
  'a dry run as text, which would be none': () => callOn(receiver, 'replay', {}, { dryRun: 'no' }),
  'pause of a handler that none can be': () => callOn(receiver, 'pause', 'settled'),
  'process()': () => callOn(createProcessor({ store: memoryStore() }), 'process'),
  'a body that went through JSON': () => {
    const delivery = { id: 'whev_1', body: 'eyJpZCI6MX0', timestamp: 1 };
    return callOn(createProcessor({ store: memoryStore() }), 'process', delivery);
  },
  'a timestamp as text': () => {
    const delivery = { id: 'whev_1', body: new Uint8Array(), timestamp: '1' };
    return callOn(createProcessor({ store: memoryStore() }), 'process', delivery);
  },
  'a timestamp in milliseconds': () => {
    const timestamp = Date.parse('2026-07-01T12:00:00Z');
    const delivery = { id: 'whev_1', body: new Uint8Array(), timestamp };
    return callOn(createProcessor({ store: memoryStore() }), 'process', delivery);
  },
  'createInbox()': () => call(createInbox),
  'an inbox for everybody': () => call(createInbox, receiver, {}),
  'testSender without a receiver': () => call(testSender, { receiver: undefined, secret: SECRET }),
  'testSender without a secret': () => call(testSender, { receiver }),
  'deliver()': async () => {
    const app = await testReceiver();
    try {
      await callOn(app, 'deliver');
    } finally {
      await app.close();
    }
  },
  'sign()': () => call(sign),
  'signEvent()': () => call(signEvent),
  'signEvent(event)': () => call(signEvent, ...runTimeline(['pending'])),
  'explainDelivery()': () => call(explainDelivery),
  'observeReceivers()': () => call(observeReceivers),
};

test('a mistake of a caller is refused with what to do', async () => {
  const messages: Record<string, unknown> = {};
  for (const [mistake, make] of Object.entries(MISTAKES)) {
    const thrown: unknown = await (async () => make())().catch((error: unknown) => error);
    messages[mistake] = thrown instanceof TypeError ? thrown.message : thrown;
  }
  expect(messages).toMatchInlineSnapshot(`
    {
      "a SQLite in memory": "file must be the path of a database file, such as 'events.db', got ":memory:". To keep events in memory use memoryStore().",
      "a body that went through JSON": "body must be a Buffer or Uint8Array, got String. Take the bytes before any parser; wrap an ArrayBuffer.",
      "a dry run as text, which would be none": "dryRun must be true or false, got "no".",
      "a file without a name": "file must be the path of a database file, such as 'events.db', got "". To keep events in memory use memoryStore().",
      "a file: URL": "file must be the path of a database file, such as 'events.db', got "file:events.db". Leave file: out; only the command line takes it.",
      "a limit as text": "limit must be a positive integer, got "5".",
      "a misspelt path": "Unknown option "route". Did you mean path?",
      "a number as text": "retryForHours must be a number of at least 0, got "8".",
      "a parsed body": "rawBody must be a Buffer or Uint8Array, got Object. Take the bytes before any parser; wrap an ArrayBuffer.",
      "a path as text": "options must be an object with path, got string.",
      "a promise of a receiver": "receiver must be what createReceiver() or createIngress() returned, got a promise. Await it first.",
      "a status for a timeline": "statuses must be a list such as ['pending', 'running'], got string.",
      "a time as text": "until must be a Date or milliseconds since the epoch, got 2026-07-01.",
      "a timestamp as text": "timestamp must be whole seconds since the epoch, got "1". Pass the header webhook-timestamp as a number.",
      "a timestamp in milliseconds": "timestamp must be whole seconds since the epoch, got 1782907200000. Pass the header webhook-timestamp as a number.",
      "an URL for a pool": "pool must be a Pool of pg: new Pool({ connectionString }), got string.",
      "an URL for sql": "sql must be what postgres(url) of postgres returned, got string.",
      "an inbox for everybody": "authorize must be a function, got undefined. The page can discard events, so it does not start without one. For a first look: authorize: () => true.",
      "an unknown reason": "reason must be one of handler_failed, output_invalid, event_quarantined, event_poisoned, got failed. Leave it out to choose from all.",
      "body()": "eventId must be a string, got undefined. Pass the id of an event: event.id.",
      "createInbox()": "source must be what createReceiver() or createProcessor() returned, got another value.",
      "createIngress()": "options must be an object with verifier, sink, onError, …, got undefined.",
      "createProcessor()": "options must be an object with store, handlers, mode, …, got undefined.",
      "createReceiver()": "options must be an object with store, handlers, mode, …, got undefined.",
      "createReceiver({ bodyLimitBytes: '1' })": "bodyLimitBytes must be a positive integer, got "1".",
      "createReceiver({ clock: { now: [Function: now], setTimeout: [Function: setTimeout], clearTimeout: [Function: clearTimeout] } })": "clock must have the methods now, monotonic, setTimeout, clearTimeout, got one without monotonic. Start from realClock() and replace what you need.",
      "createReceiver({ fetchRun: 'x' })": "fetchRun must be a function, got string.",
      "createReceiver({ gapGraceMilliseconds: -1 })": "gapGraceMilliseconds must be a non-negative integer, got -1.",
      "createReceiver({ gapGraceMs: 1 })": "Unknown option "gapGraceMs". Did you mean gapGraceMilliseconds?",
      "createReceiver({ handlerTimeoutMilliseconds: 2147483648 })": "handlerTimeoutMilliseconds must be at most 2147483647, got 2147483648.",
      "createReceiver({ handlers: null })": "handlers must be an object of functions, got null.",
      "createReceiver({ handlers: { 'run.status_change': [Function: run.status_change] } })": "Unknown handler "run.status_change". Did you mean run.status_changed?",
      "createReceiver({ handlers: { running: 'no' } })": "handlers.running must be a function, got string.",
      "createReceiver({ mode: 'fast' })": "mode must be 'live' or 'ordered', got "fast".",
      "createReceiver({ onError: 'x' })": "onError must be a function, got string.",
      "createReceiver({ retryForHours: -1 })": "retryForHours must be a number of at least 0, got -1.",
      "createReceiver({ rotationUntil: '2026-07-01' })": "rotationUntil must be a Date or milliseconds since the epoch, got 2026-07-01.",
      "createReceiver({ rotationUntil: Invalid Date })": "rotationUntil must be a Date or milliseconds since the epoch, got Invalid Date.",
      "createReceiver({ secret: 'whsec_x' })": "Unknown option "secret". Did you mean secrets?",
      "createReceiver({ store: [Function: memoryStore] })": "store must be a store, got function. Call it: sqliteStore({ file }) or memoryStore().",
      "createReceiver({ store: {} })": "store must be a store, got object. Use sqliteStore({ file }) or memoryStore().",
      "createVerifier()": "options must be an object with secrets, secretEncoding, toleranceSeconds, …, got undefined.",
      "createVerifier({ secrets: '"whsec_a"' })": "secrets must be whsec_… without whitespace around it, got a string in quotes. Check its environment variable.",
      "createVerifier({ secrets: '' })": "secrets must be whsec_… without whitespace around it, got an empty string. Check its environment variable.",
      "createVerifier({ secrets: 'whsec_' })": "secrets must be whsec_… without whitespace around it, got only whsec_. Check its environment variable.",
      "createVerifier({ secrets: 'whsec_a', secretEncoding: 'hex' })": "secretEncoding must be utf8 or base64, got hex.",
      "createVerifier({ secrets: 'whsec_a', toleranceSeconds: -1 })": "toleranceSeconds must be a non-negative integer, got -1.",
      "createVerifier({ secrets: 'whsec_a', toleranceSeconds: 0.5 })": "toleranceSeconds must be a non-negative integer, got 0.5.",
      "createVerifier({ secrets: 'whsec_a', toleranceSeconds: Infinity })": "toleranceSeconds must be a non-negative integer, got Infinity.",
      "createVerifier({ secrets: 'whsec_a', toleranceSeconds: NaN })": "toleranceSeconds must be a non-negative integer, got NaN.",
      "createVerifier({ secrets: 'whsec_a\\n' })": "secrets must be whsec_… without whitespace around it, got a string with whitespace around it. Check its environment variable.",
      "createVerifier({ secrets: 'whsec_not*base64', secretEncoding: 'base64' })": "secrets must be whsec_ and base64, got other characters.",
      "createVerifier({ secrets: [ 'whsec_0', 'whsec_1', 'whsec_2', 'whsec_3', 'whsec_4', 'whsec_5', 'whsec_6', 'whsec_7', 'whsec_8' ] })": "secrets must be 1 to 8 secrets, got 9.",
      "createVerifier({ secrets: [ 'whsec_a', 'c2VjcmV0' ] })": "secrets[1] must be whsec_… without whitespace around it, got a string without whsec_. Check its environment variable.",
      "createVerifier({ secrets: [ 'whsec_a', 'whsec_a' ] })": "secrets[1] must be another secret than secrets[0], got the same. Leave one of them out.",
      "createVerifier({ secrets: [ undefined ] })": "secrets[0] must be whsec_… without whitespace around it, got undefined. Check its environment variable.",
      "createVerifier({ secrets: [] })": "secrets must be 1 to 8 secrets, got 0.",
      "createVerifier({ secrets: undefined })": "secrets must be whsec_… without whitespace around it, got undefined. Check its environment variable.",
      "deliver()": "events must be a list such as runTimeline(['pending', 'running']), got undefined.",
      "discard() of a promise, which would be all": "filter must be an object with source, ids, reason, …, got promise. Pass { ids } to choose single events.",
      "discard([id]), which would be all": "filter must be an object with source, ids, reason, …, got array. Pass { ids } to choose single events.",
      "discard(new Set()), which would be all": "filter must be an object with source, ids, reason, …, got set. Pass { ids } to choose single events.",
      "discard({ runId: undefined }), which would be all": "runId must be a string, got undefined. Leave it out to choose from all.",
      "explainDelivery()": "delivery must be an object with headers, rawBody, got undefined.",
      "explainRefusals as text": "explainRefusals must be true or false, got "true".",
      "fastifyPlugin(receiver)": "options must be an object with path, got undefined.",
      "fastifyPlugin(undefined, { path })": "receiver must be what createReceiver() or createIngress() returned, got undefined. Create it before its adapter.",
      "fetchHandler()": "receiver must be what createReceiver() or createIngress() returned, got undefined. Create it before its adapter.",
      "fetchRunFrom()": "options must be an object with baseUrl, key, fetch, …, got undefined.",
      "inspect()": "eventId must be a string, got undefined. Pass the id of an event: event.id.",
      "keepBodies": "Unknown option "keepBodies". Did you mean keepBodiesDays?",
      "keepBodiesDays as text": "keepBodiesDays must be a non-negative integer, got "7d".",
      "koaMiddleware()": "receiver must be what createReceiver() or createIngress() returned, got undefined. Create it before its adapter.",
      "lambdaHandler()": "receiver must be what createReceiver() or createIngress() returned, got undefined. Create it before its adapter.",
      "no path for Fastify": "path must start with "/" and have no "?", got undefined.",
      "no secret": "secrets must be whsec_… without whitespace around it, got undefined. Check its environment variable.",
      "no store": "store must be a store, got undefined. Use sqliteStore({ file }) or memoryStore().",
      "nodeHandler()": "receiver must be what createReceiver() or createIngress() returned, got undefined. Create it before its adapter.",
      "observeReceivers()": "api must be the module @opentelemetry/api, got another value. Pass it whole: import * as api.",
      "on('complete', …)": "Unknown handler "complete". Did you mean completed?",
      "on('completed')": "handler must be a function, got undefined. Call on("completed", (event, context) => …).",
      "one id for ids": "ids must be a list of strings, got string. Leave it out to choose from all.",
      "pause of a handler that none can be": "handler must be the status of a run (created, pending, running, waiting, finalizing, completed, failed, cancelled, rejected), got "settled". Leave it out for all, or name the source of another type.",
      "postgresStore()": "options must be an object with pool, sql, schema, …, got undefined.",
      "process()": "delivery must be an object with id, body, timestamp, got undefined.",
      "redrive()": "filter must be an object with source, ids, reason, …, got undefined. Pass { ids } to choose single events.",
      "redrive() of a promise, which would be all": "filter must be an object with source, ids, reason, …, got promise. Pass { ids } to choose single events.",
      "redrive([id]), which would be all": "filter must be an object with source, ids, reason, …, got array. Pass { ids } to choose single events.",
      "redrive(id)": "filter must be an object with source, ids, reason, …, got string. Pass { ids } to choose single events.",
      "redrive(new Set()), which would be all": "filter must be an object with source, ids, reason, …, got set. Pass { ids } to choose single events.",
      "replay() of a promise, which would be all": "filter must be an object with source, ids, runId, …, got promise. Pass { ids } to choose single events.",
      "replay([id]), which would be all": "filter must be an object with source, ids, runId, …, got array. Pass { ids } to choose single events.",
      "replay(new Set()), which would be all": "filter must be an object with source, ids, runId, …, got set. Pass { ids } to choose single events.",
      "replay({ since }) as text": "since must be a Date or milliseconds since the epoch, got 2026-07-01.",
      "runs({ automation })": "Unknown option "automation". Did you mean automationId?",
      "several secrets in one string": "secrets must be one secret, got several in one string. Pass a list, such as value.split(',').",
      "sign()": "options must be an object with secret, id, timestamp, …, got undefined.",
      "signEvent()": "event must be an object with id, type, data, got undefined.",
      "signEvent(event)": "options must be an object with secret, got undefined.",
      "sqliteStore('x')": "options must be an object with file, got string.",
      "sqliteStore()": "options must be an object with file, got undefined.",
      "sqliteStore({ path })": "Unknown option "path". Did you mean file?",
      "sqliteStore({})": "file must be the path of a database file, such as 'events.db', got undefined. To keep events in memory use memoryStore().",
      "start(false)": "options must be an object with work, got boolean.",
      "start({ work: 0 })": "work must be true or false, got 0.",
      "start({ wrok })": "Unknown option "wrok". Did you mean work?",
      "testSender without a receiver": "receiver must be what createReceiver() or createIngress() returned, got undefined. Create it before its adapter.",
      "testSender without a secret": "secret must be a string, got undefined. Pass the secret of the receiver.",
      "the address of the command line": "file must be the path of a database file, such as 'events.db', got "sqlite:events.db". Leave sqlite: out; only the command line takes it.",
      "timeline()": "runId must be a string, got undefined. Pass the id of a run: event.data.run.id.",
      "waiting({ first })": "Unknown option "first". Expected one of after, limit, source, runId, key, automationId.",
      "work({ untill })": "Unknown option "untill". Did you mean until?",
    }
  `);
});

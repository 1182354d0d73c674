/**
 * One process of an app: `handle.js APP ADDRESS RUNS WARM_UP`. It sends `ready`, accepts and handles the events of some
 * runs on the message `go`, sends what that took, and ends on the message `end`.
 */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';

import { createReceiver } from '@hookproof/receiver';
import type { ReceiverOptions } from '@hookproof/receiver';
import { postgresStore } from '@hookproof/receiver/postgres';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { runTimeline, signEvent } from '@hookproof/receiver/testing';
import type { SignedDelivery } from '@hookproof/receiver/testing';
import { Pool } from 'pg';

import { callAll } from '../bench.ts';
import { SECRET } from '../delivery.ts';
import { requirePeer } from '../processes.ts';

/** What a process did. */
export interface Handled {
  readonly events: number;
  /** Events a second, until the response for the last one. */
  readonly accepted: number;
  /** Events a second, until the last one is handled. */
  readonly handled: number;
  /** Processor time of the app, in microseconds an event. */
  readonly processor: number;
}

/** An app that verifies deliveries, accepts their events durably, and handles them. */
interface App {
  /** Resolves when the app would respond with 2xx. */
  receive(delivery: SignedDelivery): Promise<void>;
  /** The number of events that no process has handled, where several share the store. */
  open?(): Promise<number>;
  close(): Promise<void>;
}

/** How many connections and handlers at a time each app may have: the defaults of ours. */
const CONNECTIONS = 20;
const CONCURRENCY = 16;

async function hookproof(
  options: Pick<ReceiverOptions, 'store' | 'mode'>,
  handle: () => void,
  end: () => Promise<void> = async () => {},
): Promise<App> {
  const receiver = createReceiver({ ...options, secrets: SECRET, handlers: { event: handle } });
  await receiver.start();
  return {
    async receive({ headers, body }) {
      const { status } = await receiver.receive({ method: 'POST', headers, body });
      if (status >= 300) throw new Error(`The receiver must respond with 2xx, got ${status}.`);
    },
    // Processes that share a store handle the events of each other.
    ...(options.mode === 'ordered' ? { open: async () => (await receiver.stats()).open } : {}),
    async close() {
      await receiver.close();
      await end();
    },
  };
}

const key = createSecretKey(Buffer.from(SECRET));

interface PlainEvent {
  readonly id: string;
  readonly data: { readonly run: { readonly id: string } };
}

/** Verifies and parses without any library. */
function verified({ headers, body }: SignedDelivery): PlainEvent {
  const hmac = createHmac('sha256', key);
  hmac.update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`).update(body);
  const received = Buffer.from(headers['webhook-signature'].slice(3), 'hex');
  const computed = hmac.digest();
  const isValid = received.length === computed.length && timingSafeEqual(received, computed);
  if (!isValid) throw new Error('The signature must match.');
  return JSON.parse(Buffer.from(body).toString());
}

/** The parts of the peers that we call. */
interface PgBoss {
  start(): Promise<unknown>;
  createQueue(name: string): Promise<void>;
  send(name: string, data: object): Promise<string | null>;
  work(
    name: string,
    options: { readonly batchSize: number; readonly pollingIntervalSeconds: number },
    handle: (jobs: readonly unknown[]) => Promise<void>,
  ): Promise<string>;
  stop(options: { readonly graceful: boolean; readonly wait: boolean }): Promise<void>;
}

interface Graphile {
  readonly run: (options: object) => Promise<{
    addJob(task: string, payload: object, spec: object): Promise<unknown>;
    stop(): Promise<void>;
  }>;
  readonly Logger: new (create: () => () => void) => object;
}

export type AppName =
  | 'hookproof'
  | 'ordered on PostgreSQL'
  | 'ordered on SQLite'
  | 'pg-boss'
  | 'graphile-worker';

/** Starts an app on an empty database. It calls `handle` for each event. */
const APPS: Readonly<Record<AppName, (address: string, handle: () => void) => Promise<App>>> = {
  async hookproof(url, handle) {
    const pool = new Pool({ connectionString: url, max: CONNECTIONS });
    return hookproof({ store: postgresStore({ pool }) }, handle, () => pool.end());
  },
  async 'ordered on PostgreSQL'(url, handle) {
    const pool = new Pool({ connectionString: url, max: CONNECTIONS });
    const options = { store: postgresStore({ pool }), mode: 'ordered' } as const;
    return hookproof(options, handle, () => pool.end());
  },
  async 'ordered on SQLite'(file, handle) {
    return hookproof({ store: sqliteStore({ file }), mode: 'ordered' }, handle);
  },
  async 'pg-boss'(url, handle) {
    const create: new (options: { connectionString: string; max: number }) => PgBoss =
      requirePeer('pg-boss');
    const boss = new create({ connectionString: url, max: CONNECTIONS });
    await boss.start();
    await boss.createQueue('events');
    await boss.work('events', { batchSize: 500, pollingIntervalSeconds: 0.5 }, async (jobs) => {
      for (let left = jobs.length; left > 0; left -= 1) handle();
    });
    return {
      async receive(delivery) {
        await boss.send('events', verified(delivery));
      },
      close: () => boss.stop({ graceful: true, wait: true }),
    };
  },
  async 'graphile-worker'(url, handle) {
    const { run, Logger }: Graphile = requirePeer('graphile-worker');
    const pgPool = new Pool({ connectionString: url, max: CONNECTIONS });
    // It asks for these.
    pgPool.on('error', () => {});
    pgPool.on('connect', (client) => client.on('error', () => {}));
    const runner = await run({
      pgPool,
      concurrency: CONCURRENCY,
      noHandleSignals: true,
      logger: new Logger(() => () => {}),
      taskList: { event: handle },
    });
    return {
      async receive(delivery) {
        const event = verified(delivery);
        await runner.addJob('event', event, { jobKey: event.id, queueName: event.data.run.id });
      },
      async close() {
        await runner.stop();
        await pgPool.end();
      },
    };
  },
};

const CALLERS = 64;
const STATUSES = ['created', 'pending', 'running', 'completed'] as const;

/** Runs go on side by side, as many as there are callers: the first events of all, then the second ones. */
function deliveries(runs: number): readonly SignedDelivery[] {
  const all = Array.from({ length: runs }, () => {
    const output = 'x'.repeat(500);
    return runTimeline(STATUSES, { run: { id: `exec_${crypto.randomUUID()}`, output } });
  });
  const events = [];
  for (let start = 0; start < runs; start += CALLERS) {
    const together = all.slice(start, start + CALLERS);
    for (const place of STATUSES.keys())
      events.push(...together.flatMap((run) => run[place] ?? []));
  }
  return events.map((event) => signEvent(event, { secret: SECRET }));
}

const [name = '', address = '', runs = '0', warmUp = '0'] = process.argv.slice(2);
let [count, left] = [0, 0];
let done = (): void => {};
const app: App = await APPS[name as AppName](address, () => {
  count += 1;
  if (count === left) done();
});

async function handleAll(given: readonly SignedDelivery[]): Promise<Handled> {
  count = 0;
  left = given.length;
  const handled = new Promise<void>((resolve) => (done = resolve));
  const processor = process.cpuUsage();
  const start = performance.now();
  const accepted = await callAll(given.length, CALLERS, async (index) => {
    const delivery = given[index];
    if (delivery !== undefined) await app.receive(delivery);
  });
  if (app.open === undefined) await handled;
  else while ((await app.open()) > 0) await setTimeout(50);
  const milliseconds = performance.now() - start;
  const { user, system } = process.cpuUsage(processor);
  return {
    events: given.length,
    accepted: accepted.rate,
    handled: (given.length * 1_000) / milliseconds,
    processor: (user + system) / given.length,
  };
}

if (Number(warmUp) > 0) await handleAll(deliveries(Number(warmUp)));
const measured = deliveries(Number(runs));
process.send?.('ready');
await once(process, 'message');
process.send?.(await handleAll(measured));
await once(process, 'message');
await app.close();
process.exit();

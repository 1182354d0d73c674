import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { createRequire } from 'node:module';

import { createReceiver } from '@hookproof/receiver';
import { postgresStore } from '@hookproof/receiver/postgres';
import type { SignedDelivery } from '@hookproof/receiver/testing';
import { Pool } from 'pg';

import { SECRET } from '../../delivery.ts';

/** An app that verifies deliveries, accepts their events durably, and handles them. */
export interface App {
  /** Resolves when the app would respond with 2xx. */
  receive(delivery: SignedDelivery): Promise<void>;
  close(): Promise<void>;
}

/** Starts an app on an empty database. It calls `handle` for each event. */
export type StartApp = (url: string, handle: () => void) => Promise<App>;

/** How many connections and handlers at a time each app may have: the defaults of ours. */
const CONNECTIONS = 20;
const CONCURRENCY = 16;

const hookproof: StartApp = async (url, handle) => {
  const pool = new Pool({ connectionString: url, max: CONNECTIONS });
  const receiver = createReceiver({
    secrets: SECRET,
    store: postgresStore({ pool }),
    handlers: { event: handle },
  });
  await receiver.start();
  return {
    async receive({ headers, body }) {
      const { status } = await receiver.receive({ method: 'POST', headers, body });
      if (status >= 300) throw new Error(`The receiver must respond with 2xx, got ${status}.`);
    },
    async close() {
      await receiver.close();
      await pool.end();
    },
  };
};

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

// The peers are installed in a folder of their own. These are the parts that we call.
const requirePeer = createRequire(new URL('../../../peers/', import.meta.url));

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

const pgBoss: StartApp = async (url, handle) => {
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
};

interface Graphile {
  readonly run: (options: {
    readonly pgPool: Pool;
    readonly concurrency: number;
    readonly noHandleSignals: boolean;
    readonly logger: object;
    readonly taskList: Readonly<Record<string, () => void>>;
  }) => Promise<{
    addJob(task: string, payload: object, spec: object): Promise<unknown>;
    stop(): Promise<void>;
  }>;
  readonly Logger: new (create: () => () => void) => object;
}

const graphileWorker: StartApp = async (url, handle) => {
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
};

export type AppName = 'hookproof' | 'pg-boss' | 'graphile-worker';

export const APPS: Readonly<Record<AppName, StartApp>> = {
  hookproof,
  'pg-boss': pgBoss,
  'graphile-worker': graphileWorker,
};

export function isAppName(name: unknown): name is AppName {
  return typeof name === 'string' && Object.hasOwn(APPS, name);
}

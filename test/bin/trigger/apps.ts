import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';

import { createReceiver } from '@hookproof/receiver';
import type { ReceiverOptions } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { nodeHandler } from '@hookproof/receiver/node';
import express from 'express';
import { onTestFinished } from 'vitest';

import { listeningPort } from '../../listening-port.ts';

export const SECRET = 'whsec_of_the_app';

/** A verifier without any code of this project: node:crypto, and the rules of the contract. */
export function statusOf(headers: IncomingHttpHeaders, body: Buffer): number {
  const id = String(headers['webhook-id']);
  const timestamp = String(headers['webhook-timestamp']);
  const signature = Buffer.from(String(headers['webhook-signature']));
  const mac = createHmac('sha256', SECRET).update(`${id}.${timestamp}.`).update(body);
  const wanted = Buffer.from(`v1,${mac.digest('hex')}`);
  if (signature.length !== wanted.length || !timingSafeEqual(signature, wanted)) return 401;
  return Math.abs(Date.now() / 1000 - Number(timestamp)) > 300 ? 400 : 204;
}

export interface App {
  readonly url: string;
  /** The accepted bodies, in the order of their arrival. */
  readonly accepted: readonly Buffer[];
}

async function serveApp(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listeningPort(createServer(listener))}/`;
}

/** An app on bare `node:http`. */
export async function plainApp(): Promise<App> {
  const accepted: Buffer[] = [];
  const url = await serveApp((request, response) => {
    void request.toArray().then((chunks: Buffer[]) => {
      const body = Buffer.concat(chunks);
      response.statusCode = statusOf(request.headers, body);
      if (response.statusCode === 204) accepted.push(body);
      response.end();
    });
  });
  return { url, accepted };
}

/** Express with the mistake that everybody makes once: it signs what it has parsed and written again. */
export async function parsingApp(): Promise<App> {
  const app = express();
  app.post('/', express.json(), (request, response) => {
    const body = Buffer.from(JSON.stringify(request.body, null, 1));
    response.status(statusOf(request.headers, body)).json({ error: 'bad signature' });
  });
  return { url: await serveApp(app), accepted: [] };
}

interface ReceiverApp {
  readonly url: string;
  /** The statuses that handlers saw, in order; `test` and `unknown` for those events. */
  readonly handled: readonly string[];
  idle(): Promise<void>;
}

/** The receiver of this project. */
export async function receiverApp(
  mode: NonNullable<ReceiverOptions['mode']>,
): Promise<ReceiverApp> {
  const handled: string[] = [];
  const receiver = createReceiver({
    secrets: SECRET,
    store: memoryStore(),
    mode,
    gapGraceMilliseconds: 3_000,
    roundTripGraceMilliseconds: 1_000,
    handlers: {
      event: ({ data }) => void handled.push(data.run.status),
      test: () => void handled.push('test'),
      unknown: () => void handled.push('unknown'),
    },
  });
  await receiver.start();
  onTestFinished(() => receiver.close());
  return { url: await serveApp(nodeHandler(receiver)), handled, idle: () => receiver.idle() };
}

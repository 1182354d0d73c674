import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import express from 'express';
import { fastify } from 'fastify';

import { ROOT } from '../../../compiled-program.ts';
import { listen } from '../../../proof/receivers/listen.ts';
import type { RunningReceiver } from '../../../proof/receivers/running-receiver.ts';
import { SECRET } from '../../../proof/receivers/secret.ts';

const PEERS = join(ROOT, 'test', 'bench', 'peers');
const OCTOKIT = 'node_modules/@octokit/webhooks-methods/dist-node/index.js';

/** What the libraries export that are installed in `test/bench/peers`. */
interface Standard {
  Webhook: new (
    secret: string,
    options?: { format: 'raw' },
  ) => { verify(body: Buffer, headers: Readonly<Record<string, string>>): unknown };
}
interface Octokit {
  verify(secret: string, body: string, signature: string): Promise<boolean>;
}

/** Fastify with a parser for raw bodies, and the signature taken apart by a regular expression with the flag i. */
export async function fastifyReceiver(): Promise<RunningReceiver> {
  const app = fastify();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  app.post('/hook', (request, reply) => {
    const { headers, body } = request;
    const [id = '', timestamp = '', signature = ''] = ['id', 'timestamp', 'signature'].map((name) =>
      String(headers[`webhook-${name}`] ?? ''),
    );
    const digest = /^v1,([0-9a-f]{64})$/i.exec(signature)?.[1];
    const isCurrent =
      /^\d+$/.test(timestamp) && Math.abs(Date.now() / 1000 - Number(timestamp)) < 301;
    if (id === '' || digest === undefined || !isCurrent || !Buffer.isBuffer(body)) {
      return reply.code(400).send();
    }
    const message = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
    const expected = createHmac('sha256', SECRET).update(message).digest();
    return reply.code(timingSafeEqual(expected, Buffer.from(digest, 'hex')) ? 204 : 401).send();
  });
  const base = await app.listen({ port: 0, host: '127.0.0.1' });
  return { url: `${base}/hook`, observerUrl: `${base}/hook`, close: () => app.close() };
}

/** standardwebhooks as its own documentation shows it: it expects a Base64 digest under the decoded secret. */
export function standardReceiver(): Promise<RunningReceiver> {
  return verifying((Webhook) => {
    const webhook = new Webhook(SECRET);
    return (body, headers) => webhook.verify(body, headers);
  });
}

/** standardwebhooks with the whole secret as its key, and the hex digits turned into Base64. */
export function shimmedReceiver(): Promise<RunningReceiver> {
  return verifying((Webhook) => {
    const webhook = new Webhook(SECRET, { format: 'raw' });
    return (body, headers) => {
      const hex = (headers['webhook-signature'] ?? '').replace('v1,', '');
      const signature = `v1,${Buffer.from(hex, 'hex').toString('base64')}`;
      return webhook.verify(body, { ...headers, 'webhook-signature': signature });
    };
  });
}

type Verify = (body: Buffer, headers: Readonly<Record<string, string>>) => unknown;

function verifying(open: (webhook: Standard['Webhook']) => Verify): Promise<RunningReceiver> {
  const { Webhook }: Standard = createRequire(join(PEERS, 'package.json'))('standardwebhooks');
  const verify = open(Webhook);
  const app = express();
  app.post('/hook', express.raw({ type: '*/*', limit: '1mb' }), (request, response) => {
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(request.headers)) headers[name] = String(value);
    const body: unknown = request.body;
    try {
      verify(Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers);
      response.sendStatus(204);
    } catch {
      response.sendStatus(400);
    }
  });
  return listen(createServer(app));
}

/** @octokit/webhooks-methods over the composed message, which Express has decoded to text. */
export async function octokitReceiver(): Promise<RunningReceiver> {
  const octokit: Octokit = await import(pathToFileURL(join(PEERS, OCTOKIT)).href);
  const app = express();
  app.post('/hook', express.text({ type: '*/*', limit: '1mb' }), (request, response, next) => {
    const [id = '', timestamp = '', signature = ''] = ['id', 'timestamp', 'signature'].map((name) =>
      request.get(`webhook-${name}`),
    );
    const isOld = Math.abs(Date.now() / 1000 - Number(timestamp)) > 300;
    if (id === '' || isOld || !/^v1,[0-9a-f]{64}$/.test(signature)) {
      response.sendStatus(400);
      return;
    }
    const body: unknown = request.body;
    const text = typeof body === 'string' ? body : '';
    const message = `${id}.${timestamp}.${text}`;
    octokit
      .verify(SECRET, message, `sha256=${signature.slice(3)}`)
      .then((isRight) => response.sendStatus(isRight ? 204 : 401))
      .catch(next);
  });
  return listen(createServer(app));
}

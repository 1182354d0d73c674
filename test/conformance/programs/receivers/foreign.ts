import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { verify as verifyOctokit } from '@octokit/webhooks-methods';
import express from 'express';
import { fastify } from 'fastify';

import { listen } from '../../../proof/receivers/listen.ts';
import type { RunningReceiver } from '../../../proof/receivers/running-receiver.ts';
import { SECRET } from '../../../proof/receivers/secret.ts';

// The types of stripe and svix take longer to check than those of all programs.
const requireLibrary = createRequire(import.meta.url);

/** The class of standardwebhooks and svix. */
type Webhook = new (
  secret: string,
  options?: { format: 'raw' },
) => { verify(body: Buffer, headers: Readonly<Record<string, string>>): unknown };

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

type Library = 'standardwebhooks' | 'svix';

/** standardwebhooks or svix as its own documentation shows it: it expects a Base64 digest under the decoded secret. */
export function standardReceiver(library: Library): Promise<RunningReceiver> {
  const webhook = new (webhookOf(library))(SECRET);
  return verifying((body, headers) => webhook.verify(body, headers));
}

/** The same with the whole secret as its key, and the hex digits turned into Base64. */
export function shimmedReceiver(library: Library): Promise<RunningReceiver> {
  const webhook = new (webhookOf(library))(SECRET, { format: 'raw' });
  return verifying((body, headers) => {
    const hex = (headers['webhook-signature'] ?? '').replace('v1,', '');
    const signature = `v1,${Buffer.from(hex, 'hex').toString('base64')}`;
    return webhook.verify(body, { ...headers, 'webhook-signature': signature });
  });
}

/** stripe with its header put together from those of the contract: its message has no id. */
export function stripeReceiver(): Promise<RunningReceiver> {
  const { webhooks } = new (requireLibrary('stripe'))('sk_test_receiver');
  return verifying((body, headers) => {
    const digest = (headers['webhook-signature'] ?? '').replace('v1,', '');
    const header = `t=${headers['webhook-timestamp']},v1=${digest}`;
    return webhooks.constructEvent(body, header, SECRET);
  });
}

function webhookOf(library: Library): Webhook {
  const { Webhook: found }: { Webhook: Webhook } = requireLibrary(library);
  return found;
}

type Verify = (body: Buffer, headers: Readonly<Record<string, string>>) => unknown;

function verifying(verify: Verify): Promise<RunningReceiver> {
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
export function octokitReceiver(): Promise<RunningReceiver> {
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
    verifyOctokit(SECRET, message, `sha256=${signature.slice(3)}`)
      .then((isValid) => response.sendStatus(isValid ? 204 : 401))
      .catch(next);
  });
  return listen(createServer(app));
}

import { fastify } from 'fastify';

import { PlainReceiver } from './plain-receiver.ts';
import type { RunningReceiver } from './running-receiver.ts';
import { SECRET } from './secret.ts';

/** A plain receiver in Fastify. */
export async function startFastifyReceiver(): Promise<RunningReceiver> {
  const receiver = new PlainReceiver(SECRET);
  const app = fastify();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  app.post('/hook', (request, reply) => {
    const one = (name: string): string | undefined => {
      const value = request.headers[name];
      return typeof value === 'string' ? value : undefined;
    };
    const { body } = request;
    const headers = {
      id: one('webhook-id'),
      timestamp: one('webhook-timestamp'),
      signature: one('webhook-signature'),
    };
    const status = receiver.receive(headers, Buffer.isBuffer(body) ? body : Buffer.alloc(0));
    return reply.code(status).send();
  });
  app.get('/observer', () => ({ handled: receiver.handled }));
  const base = await app.listen({ port: 0, host: '127.0.0.1' });
  return { url: `${base}/hook`, observerUrl: `${base}/observer`, close: () => app.close() };
}

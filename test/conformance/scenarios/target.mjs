import { createServer } from 'node:http';
import { once } from 'node:events';

export const KEY = 'key-of-the-canary-0123456789';

/** A small API that answers the two questions of the preflight, counts what comes, and lets a scenario add answers. */
export async function startTarget(responses = {}) {
  const seen = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url?.split('?')[0] ?? '';
      seen.push({
        method: request.method,
        path,
        body: Buffer.concat(chunks).toString(),
        port: request.socket.remotePort,
        authorization: request.headers.authorization ?? null,
      });
      const scripted = responses[path] ?? ORDINARY[path] ?? { status: 404, body: { issues: [] } };
      const {
        status = 200,
        headers = {},
        body,
      } = typeof scripted === 'function' ? scripted(request, seen) : scripted;
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${server.address().port}`,
    seen,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const ORDINARY = {
  '/v1/auth/check': {
    body: {
      ok: true,
      tenantId: 'tenant_1',
      tenantSlug: 'acme',
      userId: 'user_1',
      keyId: 'key_1',
      scope: ['workflow:read'],
      wildcardGranted: false,
    },
  },
  '/v1/dataset-review-requests': {
    body: {
      data: [
        { id: 'review_1', automationId: 'wf_1', status: 'open' },
        { id: 'review_2', automationId: 'wf_1', status: 'closed' },
        { id: 'review_3', automationId: 'wf_2', status: 'draft' },
      ],
      total: 3,
      limit: 100,
      offset: 0,
    },
  },
  '/v1/templates': { body: { items: [{ id: 'template_1' }], total: 1 } },
};

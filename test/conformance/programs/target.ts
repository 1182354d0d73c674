import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';

export const KEY = 'key-of-the-canary-0123456789';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly port: number;
  readonly authorization: string | null;
}

export interface TargetResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Default 0. */
  readonly delayMilliseconds?: number;
  /** Ends the connection without a response. Default false. */
  readonly reset?: boolean;
}

type Respond = (request: IncomingMessage, seen: readonly SeenRequest[]) => TargetResponse;

/** Responses by path. */
export type TargetResponses = Readonly<Record<string, TargetResponse | Respond>>;

export interface Target {
  readonly baseUrl: string;
  readonly seen: readonly SeenRequest[];
  close(): void;
}

/** A small API that responds to the preflight, records requests, and takes more responses from a scenario. */
export async function startTarget(responses: TargetResponses = {}): Promise<Target> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url?.split('?')[0] ?? '';
      seen.push({
        method: request.method ?? '',
        path,
        body: Buffer.concat(chunks).toString(),
        port: request.socket.remotePort ?? 0,
        authorization: request.headers.authorization ?? null,
      });
      const scripted = responses[path] ?? ORDINARY[path] ?? { status: 404, body: { issues: [] } };
      const chosen = typeof scripted === 'function' ? scripted(request, seen) : scripted;
      const { status = 200, headers = {}, body, reset = false, delayMilliseconds = 0 } = chosen;
      if (reset) {
        request.socket.resetAndDestroy();
        return;
      }
      setTimeout(() => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      }, delayMilliseconds);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    seen,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const ORDINARY: TargetResponses = {
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

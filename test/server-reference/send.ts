import type { RequestListener } from 'node:http';

import supertest from 'supertest';
import { request } from 'undici';

/** The base URL of a server, or an app that needs no address of its own. */
export type Target = string | RequestListener;

export interface SentRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'OPTIONS';
  /** Appended to the base URL; a whole URL, such as a signed one, is called unchanged. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent unchanged. */
  readonly body?: string | Buffer | undefined;
}

export interface Received {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  /** The exact body. */
  readonly bytes: Buffer;
}

/** Sends a request to a server over its socket, or to an app through supertest. */
export function send(target: Target, sent: SentRequest): Promise<Received> {
  return typeof target === 'string' ? sendToServer(target, sent) : sendToApp(target, sent);
}

async function sendToServer(
  baseUrl: string,
  { method, path, headers, body }: SentRequest,
): Promise<Received> {
  const url = path.startsWith('http://') ? path : baseUrl + path;
  const response = await request(url, { method, headers, body: body ?? null });
  return {
    status: response.statusCode,
    headers: response.headers,
    bytes: Buffer.from(await response.body.arrayBuffer()),
  };
}

async function sendToApp(
  app: RequestListener,
  { method, path, headers, body }: SentRequest,
): Promise<Received> {
  const name = method.toLowerCase() as Lowercase<typeof method>;
  const call = supertest(app)[name](path);
  // supertest serialises a Buffer under a JSON content type again.
  if (body !== undefined) call.serialize((data: string) => data).send(body);
  const response = await call
    // After `send`, which sets a default content type.
    .set(headers)
    .buffer(true)
    .parse((stream, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: string) => chunks.push(Buffer.from(chunk)));
      stream.on('end', () => done(null, Buffer.concat(chunks)));
    });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.isBuffer(response.body) ? response.body : Buffer.alloc(0),
  };
}

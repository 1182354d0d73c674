import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer, ServerOptions, VirtualClock } from '@hookproof/server-reference';
import { onTestFinished } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';

export const START = Date.parse('2026-03-02T09:00:00.250Z');

/** A part of a form: its headers and bytes. */
export interface Part {
  readonly name?: string;
  readonly filename?: string;
  readonly type?: string;
  readonly bytes: string | Buffer;
}

/** A server with a virtual clock, and functions that send and read files. */
export interface FileServer {
  readonly server: ReferenceServer;
  readonly clock: VirtualClock;
  readonly get: Read;
  readonly head: Read;
  readonly post: (path: string, json?: unknown, key?: string) => Promise<ApiResponse>;
  readonly remove: (path: string, key?: string) => Promise<ApiResponse>;
  readonly put: (url: string, bytes: string | Buffer) => Promise<ApiResponse>;
  readonly form: (parts: readonly Part[], boundary?: string) => Promise<ApiResponse>;
  /** Uploads a file as a form; resolves to its id. */
  readonly upload: (
    bytes: string | Buffer,
    part?: Omit<Part, 'bytes'>,
    purpose?: string,
  ) => Promise<string>;
}

/** Default key: the wildcard key. Null sends no key. */
type Read = (
  path: string,
  headers?: Record<string, string>,
  key?: string | null,
) => Promise<ApiResponse>;

export async function startFileServer(options: Partial<ServerOptions> = {}): Promise<FileServer> {
  const clock = virtualClock({ now: START });
  const server = await createServer({ store: { kind: 'memory' }, clock, ...options });
  onTestFinished(() => server.close());
  const wildcard = server.world.keys.wildcard;
  const form = (parts: readonly Part[], boundary = 'edge'): Promise<ApiResponse> =>
    call(server.baseUrl, {
      method: 'POST',
      path: '/v1/files',
      key: wildcard,
      raw: formBytes(parts, boundary),
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
  return {
    server,
    clock,
    get: (path, headers = {}, key = wildcard) => call(server.baseUrl, { path, key, headers }),
    head: (path, headers = {}, key = wildcard) =>
      call(server.baseUrl, { method: 'HEAD', path, key, headers }),
    post: (path, json, key = wildcard) => call(server.baseUrl, { method: 'POST', path, key, json }),
    remove: (path, key = wildcard) => call(server.baseUrl, { method: 'DELETE', path, key }),
    put: (url, bytes) =>
      call(server.baseUrl, {
        method: 'PUT',
        path: url,
        key: null,
        raw: bytes,
        headers: { 'content-type': 'application/octet-stream' },
      }),
    form,
    async upload(bytes, part = {}, purpose = '') {
      const fields = purpose === '' ? [] : [{ name: 'purpose', bytes: purpose }];
      const file = { name: 'file', filename: 'note.txt', type: 'text/plain', ...part, bytes };
      const { body } = await form([...fields, file]);
      return body.id;
    },
  };
}

export function formBytes(parts: readonly Part[], boundary = 'edge'): Buffer {
  const pieces = parts.flatMap(({ name, filename, type, bytes }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data` +
        (name === undefined ? '' : `; name="${name}"`) +
        (filename === undefined ? '' : `; filename="${filename}"`) +
        (type === undefined ? '' : `\r\nContent-Type: ${type}`) +
        '\r\n\r\n',
    ),
    Buffer.from(bytes),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

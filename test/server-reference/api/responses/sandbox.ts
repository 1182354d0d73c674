import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer, World } from '@hookproof/server-reference';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { START, controlClient } from '../../lab/control/control-client.ts';
import type { ControlClient } from '../../lab/control/control-client.ts';
import type { OpenApp } from '../../open-app.ts';
import { formBytes } from '../files/file-server.ts';
import { OPERATIONS } from './documented-pairs.ts';

export const BODY_LIMIT = 2000;
export const UPLOAD_LIMIT = 3000;

/** The parts of a request that differ between operations. */
export interface RequestParts {
  /** Path parameters. */
  readonly path?: Readonly<Record<string, string>>;
  /** With its question mark. */
  readonly query?: string;
  readonly json?: unknown;
  /** The bytes of the file in a form. */
  readonly form?: string;
  /** Its name. Default: note.txt. */
  readonly filename?: string;
  /** Sent unchanged. */
  readonly raw?: string;
  readonly headers?: Record<string, string>;
  /** Default: the wildcard key; null sends none. */
  readonly key?: string | null;
}

/** A new world on a server, and its control interface. */
export interface Sandbox {
  readonly world: World;
  readonly fixtures: World['fixtures'];
  readonly control: ControlClient;
  /** Makes a key without scopes. */
  keyWithoutScope(): Promise<string>;
  send(operationId: string, parts: RequestParts): Promise<ApiResponse>;
}

/** Servers with small limits: one streams everything, one redirects everything. */
export interface Sandboxes {
  open(sends: 'streams' | 'redirects'): Promise<Sandbox>;
  close(): Promise<void>;
}

export async function openSandboxes(): Promise<Sandboxes> {
  const [streams, redirects] = await Promise.all(
    [null, 0].map((redirectAboveBytes) =>
      createServer({
        store: { kind: 'memory' },
        clock: virtualClock({ now: START }),
        bodyLimitBytes: BODY_LIMIT,
        uploadLimitBytes: UPLOAD_LIMIT,
        redirectAboveBytes,
      }),
    ),
  );
  if (streams === undefined || redirects === undefined) throw new Error('there are two servers');
  return {
    open: (sends) => openSandbox({ streams, redirects }[sends]),
    async close() {
      await Promise.all([streams.close(), redirects.close()]);
    },
  };
}

/** Creates a world on a server. */
export async function openSandbox(server: ReferenceServer | OpenApp): Promise<Sandbox> {
  const address = 'listener' in server ? server.listener : server.baseUrl;
  const control = controlClient(server);
  const world = await control.expectOk<World>(201, '/worlds', {});
  return {
    world,
    fixtures: world.fixtures,
    control,
    async keyWithoutScope() {
      const asked = { worldId: world.id, scope: [] };
      return (await control.expectOk<{ key: string }>(201, '/keys', asked)).key;
    },
    async send(operationId, { path = {}, query = '', key = world.keys.wildcard, ...what }) {
      const operation = OPERATIONS.find((one) => one.operationId === operationId);
      if (operation === undefined) throw new Error(`there is no operation ${operationId}`);
      const target = operation.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
        const value = path[name] ?? `no_${name}`;
        return value.split('/').map(encodeURIComponent).join('/');
      });
      const { json, form, filename = 'note.txt', raw, headers = {} } = what;
      const file = { name: 'file', filename, type: 'text/plain', bytes: form ?? '' };
      return call(address, {
        method: operation.method,
        path: target + query,
        key,
        ...(json === undefined ? {} : { json }),
        ...(raw === undefined ? {} : { raw }),
        ...(form === undefined ? {} : { raw: formBytes([file], 'edge') }),
        headers: {
          ...(form === undefined ? {} : { 'content-type': 'multipart/form-data; boundary=edge' }),
          ...headers,
        },
      });
    },
  };
}

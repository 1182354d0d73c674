import { virtualClock } from '@hookproof/server-reference';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { START, controlClient } from '../../lab/control/control-client.ts';
import type { ControlClient } from '../../lab/control/control-client.ts';
import { openApp } from '../../open-app.ts';
import type { OpenApp } from '../../open-app.ts';
import { formBytes } from '../files/file-server.ts';
import type { Part } from '../files/file-server.ts';

interface Asked {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly json?: unknown;
  readonly key?: string;
  readonly headers?: Record<string, string>;
}

/** An app on a virtual clock with calls on runs. The default key is the wildcard key. */
interface RunApp {
  readonly app: OpenApp;
  readonly control: ControlClient;
  readonly ask: (path: string, asked?: Asked) => Promise<ApiResponse>;
  readonly post: (path: string, json?: unknown, asked?: Asked) => Promise<ApiResponse>;
  /** Starts a run from JSON. */
  readonly start: (json: unknown, query?: string) => Promise<ApiResponse>;
  /** Starts a run from a form. */
  readonly startForm: (parts: readonly Part[], query?: string) => Promise<ApiResponse>;
  /** Reads a run. */
  readonly view: (id: string, query?: string) => Promise<ApiResponse['body']>;
  /** Starts a run and advances the clock until it has ended. */
  readonly run: (json: object) => Promise<string>;
  /** Uploads a file; resolves to its id. */
  readonly upload: (
    filename: string,
    bytes: string,
    purpose?: string,
    key?: string,
  ) => Promise<string>;
}

export async function openRunApp(): Promise<RunApp> {
  const app = await openApp({ clock: virtualClock({ now: START }) });
  const control = controlClient(app);
  const { wildcard } = app.world.keys;

  function ask(path: string, { key = wildcard, ...asked }: Asked = {}): Promise<ApiResponse> {
    return call(app.listener, { path, key, ...asked });
  }

  function sendForm(path: string, parts: readonly Part[], key = wildcard): Promise<ApiResponse> {
    return call(app.listener, {
      method: 'POST',
      path,
      key,
      raw: formBytes(parts, 'edge'),
      headers: { 'content-type': 'multipart/form-data; boundary=edge' },
    });
  }

  const post: RunApp['post'] = (path, json, asked = {}) =>
    ask(path, { method: 'POST', ...(json === undefined ? {} : { json }), ...asked });

  return {
    app,
    control,
    ask,
    post,
    start: (json, query = '') => post(`/v1/runs${query}`, json),
    startForm: (parts, query = '') => sendForm(`/v1/runs${query}`, parts),
    view: async (id, query = '') => (await ask(`/v1/runs/${id}${query}`)).body,
    async run(json) {
      const { body } = await post('/v1/runs', { target: 'workflows.invoice-matcher', ...json });
      await control.advance(60_000);
      return body.id;
    },
    async upload(filename, bytes, purpose = '', key = wildcard) {
      const fields = purpose === '' ? [] : [{ name: 'purpose', bytes: purpose }];
      const file = { name: 'file', filename, type: 'application/json', bytes };
      return (await sendForm('/v1/files', [...fields, file], key)).body.id;
    },
  };
}

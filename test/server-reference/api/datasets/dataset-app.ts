import type { ReferenceServer } from '@hookproof/server-reference';
import { expect, onTestFinished } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { openApp } from '../../open-app.ts';
import type { OpenApp } from '../../open-app.ts';
import { formBytes } from '../files/file-server.ts';
import type { Part } from '../files/file-server.ts';

/** Calls an operation below the dataset's automation, or at a whole path. */
type Ask = (path: string, more?: Partial<Parameters<typeof call>[1]>) => Promise<ApiResponse>;

/** A file by its path, with its bytes or their number. */
interface GivenFile {
  readonly path: string;
  readonly text?: string;
  readonly size?: number;
}

interface GivenExample {
  readonly name: string;
  readonly input?: readonly GivenFile[];
  readonly expected?: readonly GivenFile[];
}

/** Calls of the operations below one automation. */
export interface Dataset {
  readonly automationId: string;
  readonly get: Ask;
  readonly post: (path: string, json?: unknown) => Promise<ApiResponse>;
  readonly put: (path: string, json: unknown) => Promise<ApiResponse>;
  readonly patch: (path: string, json: unknown) => Promise<ApiResponse>;
  readonly remove: Ask;
  /** Sends files as parts with the name `file`. */
  readonly upload: (
    path: string,
    files: Readonly<Record<string, string | Buffer>>,
  ) => Promise<ApiResponse>;
  readonly form: (path: string, parts: readonly Part[]) => Promise<ApiResponse>;
  /** Makes an example with files; resolves to its id. */
  readonly add: (example: GivenExample) => Promise<string>;
}

/** An app, and calls of the operations below one automation. */
export interface DatasetApp extends Dataset {
  readonly app: OpenApp;
}

/** @param automationId - default: the dataset of the seeded world */
export function datasetOf(server: ReferenceServer | OpenApp, automationId?: string): Dataset {
  const id = automationId ?? server.world.fixtures.datasetAutomationId;
  const address = 'listener' in server ? server.listener : server.baseUrl;
  const ask: Ask = (path, more = {}) =>
    call(address, {
      path: path.startsWith('/v1/') ? path : `/v1/automations/${id}${path}`,
      key: server.world.keys.wildcard,
      ...more,
    });
  const form: Dataset['form'] = (path, parts) =>
    ask(path, {
      method: 'POST',
      raw: formBytes(parts),
      headers: { 'content-type': 'multipart/form-data; boundary=edge' },
    });
  const post: Dataset['post'] = (path, json) => ask(path, { method: 'POST', json });
  const upload: Dataset['upload'] = (path, files) =>
    form(
      path,
      Object.entries(files).map(([filename, bytes]) => ({ name: 'file', filename, bytes })),
    );
  return {
    automationId: id,
    get: ask,
    post,
    put: (path, json) => ask(path, { method: 'PUT', json }),
    patch: (path, json) => ask(path, { method: 'PATCH', json }),
    remove: (path, more = {}) => ask(path, { method: 'DELETE', ...more }),
    upload,
    form,
    async add({ name, ...folders }) {
      const { body } = await post('/examples', { name });
      for (const [folder, files] of Object.entries(folders)) {
        const parts = Object.fromEntries(files.map((file) => [file.path, bytesOf(file)]));
        expect((await upload(`/examples/${body.id}/${folder}`, parts)).status).toBe(201);
      }
      return body.id;
    },
  };
}

export function bytesOf({ text, size = 0 }: Omit<GivenFile, 'path'>): Buffer {
  return text === undefined ? Buffer.alloc(size, '0123456789abcde\n') : Buffer.from(text);
}

/** Opens an app for one test. */
export async function openDataset(
  options: Parameters<typeof openApp>[0] = {},
): Promise<DatasetApp> {
  const app = await openApp(options);
  onTestFinished(() => app.close());
  return { app, ...datasetOf(app) };
}

/** The status, code, field and message of a refusal. */
export function refusal({ status, body }: ApiResponse): unknown[] {
  const [issue] = body.issues;
  return [status, issue.code, issue.field, issue.message];
}

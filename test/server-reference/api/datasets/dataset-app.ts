import { onTestFinished } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { openApp } from '../../open-app.ts';
import type { OpenApp } from '../../open-app.ts';
import { formBytes } from '../files/file-server.ts';
import type { Part } from '../files/file-server.ts';

/** Calls an operation below the dataset's automation, or at a whole path. */
type Ask = (path: string, more?: Partial<Parameters<typeof call>[1]>) => Promise<ApiResponse>;

/** An app, and calls of the operations below one automation. */
export interface DatasetApp {
  readonly app: OpenApp;
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
}

/** @param automationId - default: the dataset of the seeded world */
export function datasetOf(app: OpenApp, automationId?: string): DatasetApp {
  const id = automationId ?? app.world.fixtures.datasetAutomationId;
  const ask: Ask = (path, more = {}) =>
    call(app.listener, {
      path: path.startsWith('/v1/') ? path : `/v1/automations/${id}${path}`,
      key: app.world.keys.wildcard,
      ...more,
    });
  const form: DatasetApp['form'] = (path, parts) =>
    ask(path, {
      method: 'POST',
      raw: formBytes(parts),
      headers: { 'content-type': 'multipart/form-data; boundary=edge' },
    });
  return {
    app,
    automationId: id,
    get: ask,
    post: (path, json) => ask(path, { method: 'POST', json }),
    put: (path, json) => ask(path, { method: 'PUT', json }),
    patch: (path, json) => ask(path, { method: 'PATCH', json }),
    remove: (path, more = {}) => ask(path, { method: 'DELETE', ...more }),
    upload: (path, files) =>
      form(
        path,
        Object.entries(files).map(([filename, bytes]) => ({ name: 'file', filename, bytes })),
      ),
    form,
  };
}

/** Opens an app for one test. */
export async function openDataset(
  options: Parameters<typeof openApp>[0] = {},
): Promise<DatasetApp> {
  const app = await openApp(options);
  onTestFinished(() => app.close());
  return datasetOf(app);
}

/** The status, code, field and message of a refusal. */
export function refusal({ status, body }: ApiResponse): unknown[] {
  const [issue] = body.issues;
  return [status, issue.code, issue.field, issue.message];
}

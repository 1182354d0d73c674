import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { request } from 'undici';

/** A server in a process of its own, so that the work of the client is not measured. */
export interface ServerProcess<Ready = { readonly baseUrl: string }> {
  /** The message that it sent when it was ready. */
  readonly ready: Ready;
  stop(): Promise<void>;
}

/** Starts a program of `programs/`. */
export async function startProgram<Ready = { readonly baseUrl: string }>(
  name: string,
  ...args: readonly string[]
): Promise<ServerProcess<Ready>> {
  const child = fork(fileURLToPath(new URL(`programs/${name}/main.js`, import.meta.url)), args);
  const [ready] = (await once(child, 'message')) as [Ready];
  return {
    ready,
    async stop() {
      const closed = once(child, 'close');
      child.kill();
      await closed;
    },
  };
}

/** What clients of the reference server must know. */
export interface Reference {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly controlToken: string;
  readonly key: string;
  readonly fixtures: Readonly<Record<'folderId' | 'workflowId', string>>;
}

/** Starts the reference server, in memory or with a data folder. */
export function startReference(folder?: string): Promise<ServerProcess<Reference>> {
  return startProgram('reference', ...(folder === undefined ? [] : [folder]));
}

/** Calls the control interface, and returns the body of its response. */
export async function control<Result>(
  { controlUrl, controlToken }: Pick<Reference, 'controlUrl' | 'controlToken'>,
  path: string,
  json: object,
): Promise<Result> {
  const { statusCode, body } = await request(controlUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
  const text = await body.text();
  if (statusCode >= 300) throw new Error(`POST ${path} must get 2xx, got ${statusCode}: ${text}`);
  return JSON.parse(text) as Result;
}

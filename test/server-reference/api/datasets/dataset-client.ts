import { createHash } from 'node:crypto';

import type { ReferenceServer } from '@hookproof/server-reference';
import { expect } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { formBytes } from '../files/file-server.ts';

/** A file by its path, with its bytes or their number. */
export interface GivenFile {
  readonly path: string;
  readonly text?: string;
  readonly size?: number;
}

interface GivenExample {
  readonly name: string;
  readonly input?: readonly GivenFile[];
  readonly expected?: readonly GivenFile[];
}

interface AddedExample {
  readonly id: string;
  /** The hashes of the input files. */
  readonly input: readonly { readonly sha256: string }[];
}

/** The dataset operations of a server, by default with the wildcard key. */
export interface DatasetClient {
  add(example: GivenExample): Promise<AddedExample>;
  rename(example: string, path: string, json: unknown, key?: string): Promise<ApiResponse>;
  remove(example: string, path: string, key?: string): Promise<ApiResponse>;
  /** @param rest - the rest of the address, such as `?exampleIds=…` */
  exportZip(rest?: string, more?: Partial<Parameters<typeof call>[1]>): Promise<ApiResponse>;
}

/** @param automation - id or alias; default: the dataset of the seeded world */
export function datasetClient(server: ReferenceServer, automation?: string): DatasetClient {
  const { baseUrl, world } = server;
  const key = world.keys.wildcard;
  const id = automation ?? world.fixtures.datasetAutomationId;
  const examples = `/v1/automations/${id}/examples`;

  async function upload(folder: string, files: readonly GivenFile[] = []): Promise<void> {
    if (files.length === 0) return;
    const parts = files.map((file) => ({
      name: 'file',
      filename: file.path,
      bytes: bytesOf(file),
    }));
    const { status } = await call(baseUrl, {
      method: 'POST',
      path: `${examples}/${folder}`,
      key,
      raw: formBytes(parts),
      headers: { 'content-type': 'multipart/form-data; boundary=edge' },
    });
    expect(status).toBe(201);
  }

  return {
    async add({ name, input = [], expected = [] }) {
      const json = { name };
      const { status, body } = await call(baseUrl, { method: 'POST', path: examples, key, json });
      expect(status).toBe(201);
      await upload(`${body.id}/input`, input);
      await upload(`${body.id}/expected`, expected);
      const hashes = input.map((file) => createHash('sha256').update(bytesOf(file)).digest('hex'));
      return { id: body.id, input: hashes.map((sha256) => ({ sha256 })) };
    },
    rename: (example, path, json, otherKey = key) =>
      call(baseUrl, {
        method: 'PATCH',
        path: `${examples}/${example}/expected/${path}`,
        key: otherKey,
        json,
      }),
    remove: (example, path, otherKey = key) =>
      call(baseUrl, {
        method: 'DELETE',
        path: `${examples}/${example}/input/${path}`,
        key: otherKey,
      }),
    exportZip: (rest = '', more = {}) =>
      call(baseUrl, { path: `/v1/automations/${id}/dataset/export${rest}`, key, ...more }),
  };
}

function bytesOf({ text, size = 0 }: GivenFile): Buffer {
  return text === undefined ? Buffer.alloc(size, '0123456789abcde\n') : Buffer.from(text);
}

import type { ReferenceServer } from '@hookproof/server-reference';

import type { ExampleRecord } from '../../../../server-reference/src/store/datasets.ts';
import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { controlClient } from '../../lab/control/control-client.ts';

/** A file by its path, with its bytes or their number. */
export interface GivenFile {
  readonly path: string;
  readonly text?: string;
  readonly size?: number;
}

export interface GivenExample {
  readonly name: string;
  readonly automationId?: string;
  readonly input?: readonly GivenFile[];
  readonly expected?: readonly GivenFile[];
}

/** The dataset operations of a server, by default with the wildcard key. */
export interface DatasetClient {
  add(example: GivenExample): Promise<ExampleRecord>;
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
  return {
    add: (example) => controlClient(server).expectOk(201, '/examples', example),
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

import { listControlOperations, loadControl } from '@hookproof/spec/control';
import type { ReferenceServer } from '@hookproof/server-reference';
import { expect } from 'vitest';

import { OPERATIONS } from '../server-reference/api/responses/documented-pairs.ts';
import { fetchProgram } from './client-programs.ts';
import { runClient } from './compiled-client.ts';
import { goodCalls } from './good-calls.ts';
import type { GoodCall } from './good-calls.ts';
import type { MoreCalls } from './shapes-program.ts';

const openapi = new URL(import.meta.resolve('@hookproof/server-reference/openapi.json'));
const control = new URL(import.meta.resolve('@hookproof/spec/control.json'));

/** Calls every operation of the API, and expects success of each. More calls run in the same program. */
export async function callEveryOperation(server: ReferenceServer, more: MoreCalls): Promise<void> {
  const program = fetchProgram(server.baseUrl, await goodCalls(server)) + more.program;
  expect(await runClient(openapi, program)).toEqual([
    ...OPERATIONS.map(({ operationId }) => expect.stringMatching(`^${operationId} 20[0-6]$`)),
    ...more.printed,
  ]);
}

/** Calls every operation of the control interface that reads without an id. */
export async function readControl(server: ReferenceServer): Promise<void> {
  const calls = controlReads(server.controlToken);
  const program = fetchProgram(server.controlUrl, calls);
  expect(await runClient(control, program)).toEqual(
    calls.map(({ operationId }) => `${operationId} 200`),
  );
}

function controlReads(key: string): GoodCall[] {
  return (
    listControlOperations(loadControl())
      .filter(({ method, path }) => method === 'GET' && !path.includes('{'))
      // A stream of changes does not end.
      .filter(({ responses }) => responses['200']?.content?.['application/json'] !== undefined)
      .map(({ operationId, method, path }) => ({
        operationId,
        method,
        path,
        key,
        pathParameters: {},
        query: {},
        json: undefined,
        file: undefined,
        hasJsonResponse: true,
      }))
  );
}

import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { afterAll, beforeAll, describe, test } from 'vitest';

import { START } from '../server-reference/lab/control/control-client.ts';
import { callEveryOperation, readControl } from './drive.ts';
import { shapesProgram } from './shapes-program.ts';

let server: ReferenceServer;
beforeAll(async () => {
  server = await createServer({ store: { kind: 'memory' }, clock: virtualClock({ now: START }) });
});
afterAll(() => server.close());

describe('a client by openapi-typescript and openapi-fetch compiles and', () => {
  test('calls every operation of openapi.json, and sends and reads every shape', () =>
    callEveryOperation(server, shapesProgram(server)));

  test('reads every list of control.json', () => readControl(server));
});

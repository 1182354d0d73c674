import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { afterAll, beforeAll, describe, test } from 'vitest';

import { START } from '../server-reference/lab/control/control-client.ts';
import { functionsProgram, positionalProgram } from './client-programs.ts';
import { callEveryOperation, readControl } from './drive.ts';
import { generateOrval } from './generate-orval.ts';
import { generateFunctions } from './generators.ts';

const CLIENTS = {
  // Its run-time code does not compile with exact optional properties.
  '@hey-api/openapi-ts': {
    generate: generateFunctions,
    write: functionsProgram,
    strictness: { noUncheckedIndexedAccess: true },
  },
  orval: {
    generate: generateOrval,
    write: positionalProgram,
    strictness: { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  },
};

let server: ReferenceServer;
beforeAll(async () => {
  server = await createServer({ store: { kind: 'memory' }, clock: virtualClock({ now: START }) });
});
afterAll(() => server.close());

describe.each(Object.entries(CLIENTS))('a client by %s compiles and', (_name, client) => {
  test('calls every operation of openapi.json', () => callEveryOperation(server, client));

  test('reads every list of control.json', () => readControl(server, client));
});

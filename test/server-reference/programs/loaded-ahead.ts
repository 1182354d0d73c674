// Waits until the server has loaded what its start left out, uses up all file descriptors, and calls what was not called before.
import { openSync } from 'node:fs';
import { Session } from 'node:inspector';
import { setImmediate } from 'node:timers/promises';

import { createServer } from '@hookproof/server-reference';
import { Client } from 'undici';

/** The end of the list of what is loaded. */
const LAST = '/lab/dashboard/dashboard.js';

const loaded: string[] = [];
const session = new Session();
session.connect();
session.on('Debugger.scriptParsed', ({ params }) => loaded.push(params.url));
session.post('Debugger.enable');

const server = await createServer({ store: { kind: 'memory' } });
const client = new Client(server.baseUrl, { keepAliveTimeout: 60_000 });

async function call(path: string, json?: object, token = server.world.keys.wildcard) {
  const { statusCode, body } = await client.request({
    method: json === undefined ? 'GET' : 'POST',
    path,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  await body.dump();
  return statusCode;
}

const first = await call('/v1/auth/check');
while (!loaded.some((url) => url.endsWith(LAST))) await setImmediate();
await setImmediate();
let refusal: unknown;
try {
  for (;;) openSync('/dev/null', 'r');
} catch (error) {
  refusal = error instanceof Error && 'code' in error ? error.code : error;
}
const { workflowId: target } = server.world.fixtures;
const later = [
  await call('/v1/automations?limit=1'),
  await call('/v1/runs', { target }),
  await call('/_control/world', undefined, server.controlToken),
];
process.stdout.write(`${JSON.stringify({ first, refusal, later })}\n`, () => process.exit());

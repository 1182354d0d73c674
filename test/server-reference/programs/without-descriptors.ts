// Uses up all file descriptors of the process, then writes over a connection that is open already.
import { openSync } from 'node:fs';

import { createServer } from '@hookproof/server-reference';
import { Client } from 'undici';

const [path = ''] = process.argv.slice(2);
const server = await createServer({ store: { kind: 'folder', path } });
const client = new Client(server.baseUrl, { keepAliveTimeout: 60_000 });
const { reviewAutomationId, openReviewId } = server.world.fixtures;

async function write(title: string): Promise<number> {
  const { statusCode, body } = await client.request({
    method: 'PATCH',
    path: `/v1/automations/${reviewAutomationId}/dataset-review-requests/${openReviewId}`,
    headers: {
      authorization: `Bearer ${server.world.keys.wildcard}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ title }),
  });
  await body.dump();
  return statusCode;
}

const before = await write('before');
let refusal: unknown;
try {
  for (;;) openSync('/dev/null', 'r');
} catch (error) {
  refusal = error instanceof Error && 'code' in error ? error.code : error;
}
const during = [await write('first'), await write('second')];
process.stdout.write(`${JSON.stringify({ before, refusal, during })}\n`, () => process.exit());

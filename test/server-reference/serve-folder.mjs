// A server on a folder in a process of its own, for tests that kill it.
import { createServer } from '@hookproof/server-reference';

const { baseUrl, controlUrl, controlToken, world } = await createServer({
  store: { kind: 'folder', path: process.argv[2] },
});
process.stdout.write(`${JSON.stringify({ baseUrl, controlUrl, controlToken, world })}\n`);

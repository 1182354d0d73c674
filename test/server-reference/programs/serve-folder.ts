// Runs a server on a folder in its own process, for tests that kill it.
import { createServer } from '@hookproof/server-reference';

const [path = ''] = process.argv.slice(2);
const { baseUrl, controlUrl, controlToken, world } = await createServer({
  store: { kind: 'folder', path },
});
process.stdout.write(`${JSON.stringify({ baseUrl, controlUrl, controlToken, world })}\n`);

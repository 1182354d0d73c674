// Starts the reference server on a virtual clock, prints its addresses as one JSON line, and stops with its input.
import { createServer, virtualClock } from '@hookproof/server-reference';

const server = await createServer({
  store: { kind: 'memory' },
  // Above the size of the smallest fixture file, so that both kinds of downloads occur.
  redirectAboveBytes: 90,
  clock: virtualClock({ now: Date.now() }),
});
const { baseUrl, appUrl, controlUrl, controlToken } = server;
process.stdout.write(`${JSON.stringify({ baseUrl, appUrl, controlUrl, controlToken })}\n`);
process.stdin.resume().once('end', () => void server.close());

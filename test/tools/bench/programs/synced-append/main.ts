import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import path from 'node:path';

/** About what the reference server sends when a workflow moves. */
const RESPONSE = JSON.stringify({ data: 'x'.repeat(1_000) });

const file = await open(path.join(process.argv[2] ?? '.', 'floor'), 'a');
let waiting: ServerResponse[] = [];
let isWriting = false;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    waiting.push(response);
    if (!isWriting) void write();
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  process.send?.({ baseUrl: `http://127.0.0.1:${port}` });
});

/** The floor of a durable write: one write and one sync for all requests that wait, then their responses. */
async function write(): Promise<void> {
  isWriting = true;
  while (waiting.length > 0) {
    const batch = waiting;
    waiting = [];
    await file.write(RESPONSE.repeat(batch.length));
    await file.datasync();
    for (const response of batch) response.end(RESPONSE);
  }
  isWriting = false;
}
process.on('disconnect', () => process.exit());

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';

const folder = process.argv[2] ?? '.';
const file = path.join(folder, 'file');

const server = createServer((request, response) => {
  if (request.method === 'GET') createReadStream(file).pipe(response);
  else void store(request).then(() => response.end());
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  process.send?.({ baseUrl: `http://127.0.0.1:${port}`, key: '', controlToken: '' });
});

/** The floor of an upload: writes the bytes to disk. */
async function store(request: IncomingMessage): Promise<void> {
  const handle = await open(file, 'w');
  for await (const chunk of request) await handle.write(chunk as Buffer);
  await handle.datasync();
  await handle.close();
}
process.on('disconnect', () => process.exit());

import { createServer } from 'node:http';

const server = createServer((request, response) => {
  request.resume().on('end', () => response.end('{}'));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  process.send?.({ baseUrl: `http://127.0.0.1:${port}` });
});
process.on('disconnect', () => process.exit());

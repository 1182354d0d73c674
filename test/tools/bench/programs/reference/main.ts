import { createServer } from '@hookproof/server-reference';

const [folder] = process.argv.slice(2);
const server = await createServer({
  store: folder === undefined ? { kind: 'memory' } : { kind: 'folder', path: folder },
});
const { baseUrl, controlUrl, controlToken, world } = server;
const { keys, fixtures } = world;
process.send?.({ baseUrl, controlUrl, controlToken, key: keys.wildcard, fixtures });
process.on('disconnect', () => process.exit());

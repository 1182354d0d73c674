import { createServer } from '@hookproof/server-reference';
import type { ServerOptions } from '@hookproof/server-reference';

const store: ServerOptions['store'] = JSON.parse(process.argv[2] ?? '{"kind":"memory"}');
const size = process.argv[3] === 'large' ? 'large' : 'small';
const { baseUrl, world, controlToken } = await createServer({ store, world: size });
process.send?.({ baseUrl, key: world.keys.wildcard, controlToken });
process.on('disconnect', () => process.exit());

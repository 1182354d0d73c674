// Opens a folder, prints the outcome, and keeps a folder that it got open until its input ends.
import { createServer, StoreError } from '@hookproof/server-reference';

const [path = ''] = process.argv.slice(2);
try {
  const server = await createServer({ store: { kind: 'folder', path } });
  process.stdout.write('open\n');
  process.stdin.resume().once('end', () => void server.close());
} catch (error) {
  process.stdout.write(`${error instanceof StoreError ? error.code : String(error)}\n`);
}

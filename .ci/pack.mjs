// Packs every package into one folder and prints how to install them: node .ci/pack.mjs [FOLDER].
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifestOf = (room) => JSON.parse(readFileSync(join(root, room, 'package.json'), 'utf8'));
const rooms = [...manifestOf('.').workspaces, '.'].filter((room) => !manifestOf(room).private);
const folder = resolve(process.argv[2] ?? 'packages');
mkdirSync(folder, { recursive: true });

const files = rooms.map((room) => {
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: join(root, room),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename, size }] = Object.values(JSON.parse(packed));
  const file = join(folder, filename);
  console.log(`${String(Math.ceil(size / 1000)).padStart(5)} kB  ${relative('', file)}`);
  return file;
});
console.log(`\nnpm install ${files.map((file) => relative('', file)).join(' ')}`);

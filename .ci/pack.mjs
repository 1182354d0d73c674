// Packs every package into one folder and prints how to install them: node .ci/pack.mjs [FOLDER].
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifestOf = (room) => JSON.parse(readFileSync(join(root, room, 'package.json'), 'utf8'));
const rooms = [...manifestOf('.').workspaces, '.'].filter((room) => !manifestOf(room).private);
const folder = resolve(process.argv[2] ?? 'packages');
mkdirSync(folder, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), 'hookproof-pack-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** A path as a shell takes it. */
function quoted(path) {
  return /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\\''`)}'`;
}

/** Packs a folder into another one. */
function pack(from, into) {
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', into], {
    cwd: from,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename, size }] = Object.values(JSON.parse(packed));
  return { file: join(into, filename), size };
}

/** Unpacks a package, and leaves out the scripts of its sources: npm warns whoever installs a package with `prepare`. */
function withoutScripts(packed) {
  execFileSync('tar', ['-xzf', packed, '-C', scratch]);
  const unpacked = join(scratch, 'package');
  const file = join(unpacked, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  delete manifest.scripts;
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  return unpacked;
}

const files = rooms.map((room) => {
  const unpacked = withoutScripts(pack(join(root, room), scratch).file);
  const { file, size } = pack(unpacked, folder);
  rmSync(unpacked, { recursive: true });
  console.log(`${String(Math.ceil(size / 1000)).padStart(5)} kB  ${relative('', file)}`);
  return file;
});
console.log(`
In the folder of your app, to receive webhooks:
  npm install ${quoted(files[rooms.indexOf('receiver')])}
Or everything, with the command hookproof:
  npm install ${quoted(folder)}/*.tgz`);

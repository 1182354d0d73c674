// Packs every package into one folder and prints how to install them: node .ci/pack.mjs [FOLDER].
import { execFileSync, execSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

/** Packs the rooms as npm does, with one call. Returns a file for each name of a package. */
function packRooms() {
  // Of the scripts that npm would run, `prepare` is left out: the build came before.
  for (const room of rooms) {
    const { prepack } = manifestOf(room).scripts ?? {};
    if (prepack !== undefined) execSync(prepack, { cwd: join(root, room) });
  }
  const chosen = rooms.flatMap((room) =>
    room === '.' ? ['--include-workspace-root'] : ['--workspace', room],
  );
  const packed = execFileSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', scratch, ...chosen],
    { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  return new Map(Object.values(JSON.parse(packed)).map(({ name, filename }) => [name, filename]));
}

/** Leaves out the scripts of the sources: npm warns whoever installs a package with `prepare`. */
function withoutScripts(filename) {
  execFileSync('tar', ['-xzf', filename], { cwd: scratch });
  const file = join(scratch, 'package', 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  delete manifest.scripts;
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  const result = join(folder, filename);
  execFileSync('tar', ['-czf', result, 'package'], { cwd: scratch });
  rmSync(join(scratch, 'package'), { recursive: true });
  return result;
}

const packed = packRooms();
const files = rooms.map((room) => {
  const file = withoutScripts(packed.get(manifestOf(room).name));
  const kilobytes = Math.ceil(statSync(file).size / 1000);
  console.log(`${String(kilobytes).padStart(5)} kB  ${relative('', file)}`);
  return file;
});
console.log(`
In the folder of your app, to receive webhooks:
  npm install ${quoted(files[rooms.indexOf('receiver')])}
Or everything, with the command hookproof:
  npm install ${quoted(folder)}/*.tgz`);

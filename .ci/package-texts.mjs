// Puts the license, the changelog and the API pages into the room that npm packs. npm runs it in the folder of the room.
import { execFileSync } from 'node:child_process';
import { copyFileSync, renameSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

for (const name of ['LICENSE', 'CHANGELOG.md']) {
  // The rename is atomic, so npm never packs half a file while the room is packed twice at once.
  const draft = `.${process.pid}.${name}`;
  copyFileSync(new URL(`../${name}`, import.meta.url), draft);
  renameSync(draft, name);
}
const room = basename(process.cwd());
// Those of the receiver are checked in.
if (room !== 'receiver') {
  const main = fileURLToPath(new URL('../docs/generate/dist/main.js', import.meta.url));
  execFileSync(process.execPath, [main, room]);
}

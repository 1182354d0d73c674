// Copies the license and the changelog into the room that npm packs. npm runs it in the folder of the room.
import { copyFileSync, renameSync } from 'node:fs';

for (const name of ['LICENSE', 'CHANGELOG.md']) {
  // The rename is atomic, so npm never packs half a file while the room is packed twice at once.
  const draft = `.${process.pid}.${name}`;
  copyFileSync(new URL(`../${name}`, import.meta.url), draft);
  renameSync(draft, name);
}

// Copies the license and the changelog into the room that npm packs. npm runs it in the folder of the room.
import { copyFileSync } from 'node:fs';

for (const name of ['LICENSE', 'CHANGELOG.md']) {
  copyFileSync(new URL(`../${name}`, import.meta.url), name);
}

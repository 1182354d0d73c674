import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { apiPages } from './api-pages.ts';
import { ROOMS } from './entry-points.ts';
import { ROOT } from './root.ts';

// Writes the API pages of one room: node docs/generate/dist/main.js ROOM. Runs compiled.
const room = ROOMS.find((one) => one === process.argv[2]);
if (room === undefined) {
  throw new TypeError(`The room must be one of ${ROOMS.join(', ')}, got ${process.argv[2]}.`);
}
const folder = join(ROOT, room, 'docs/api');
await mkdir(folder, { recursive: true });
const pages = await apiPages(room);
for (const { name, text } of pages) {
  // The rename is atomic, so npm never packs half a page while the room is packed twice at once.
  const draft = join(folder, `.${process.pid}.${name}`);
  await writeFile(draft, text);
  await rename(draft, join(folder, name));
}
const former = (await readdir(folder)).filter(
  (file) => !file.startsWith('.') && pages.every(({ name }) => name !== file),
);
await Promise.all(former.map((file) => rm(join(folder, file))));

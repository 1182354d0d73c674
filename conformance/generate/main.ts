import { writeFile } from 'node:fs/promises';

import { pages } from './pages.ts';

// Runs compiled, from conformance/generate/dist.
for (const { name, render } of pages) {
  await writeFile(new URL(`../../${name}`, import.meta.url), await render());
  console.log(`wrote conformance/${name}`);
}

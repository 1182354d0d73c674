import { writeFile } from 'node:fs/promises';

import { products } from './steps.ts';

// Runs compiled, from spec/generate/dist.
const specFolder = new URL('../../', import.meta.url);

for (const { output, render } of products) {
  await writeFile(new URL(output, specFolder), await render(specFolder));
  console.log(`wrote spec/${output}`);
}

import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';

import { isStale } from './types/stale.ts';

// The last step of a build creates the JSON copies of the YAML files. It runs compiled, from spec/generate/dist.
const specFolder = new URL('../../', import.meta.url);

const COPIES = [
  'openapi',
  'control',
  'bundled-openapi',
  'bundled-control',
  'requirements',
  'freedoms',
].map((name) => new URL(`generated/${name}.json`, specFolder));

if (await isStale(COPIES, specFolder, new URL('./', import.meta.url))) {
  // Imported only if needed, because the parser and the validator take longer to load than all other work.
  const { copies } = await import('./steps.ts');
  await mkdir(new URL('generated/', specFolder), { recursive: true });
  for (const { output, render } of copies) {
    // The rename is atomic, so a reader never sees half a file.
    const draft = new URL(`${output}.${randomUUID()}`, specFolder);
    await writeFile(draft, await render(specFolder));
    await rename(draft, new URL(output, specFolder));
  }
}

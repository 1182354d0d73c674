import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';

import { isStale } from './types/stale.ts';

// The last step of a build creates the JSON copies of the YAML files. It runs compiled, from spec/generate/dist.
const specFolder = new URL('../../', import.meta.url);

const COPIES = [
  'generated/openapi',
  'generated/control',
  'generated/bundled-openapi',
  'generated/bundled-control',
  'generated/requirements',
  'generated/freedoms',
  '../server-reference/generated/openapi',
  '../server-reference/generated/bundled-openapi',
].map((name) => new URL(`${name}.json`, specFolder));

if (await isStale(COPIES, specFolder, new URL('./', import.meta.url))) {
  // Imported only if needed, because the parser and the validator take longer to load than all other work.
  const { copies } = await import('./steps.ts');
  for (const { output, render } of copies) {
    // The rename is atomic, so a reader never sees half a file.
    await mkdir(new URL('./', new URL(output, specFolder)), { recursive: true });
    const draft = new URL(`${output}.${randomUUID()}`, specFolder);
    await writeFile(draft, await render(specFolder));
    await rename(draft, new URL(output, specFolder));
  }
}

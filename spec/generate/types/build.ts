import { mkdir, writeFile } from 'node:fs/promises';

import { isStale } from './stale.ts';

// The first step of a build creates the types of the YAML files, which the rooms are compiled with. It runs compiled,
// from spec/generate/dist/types.
const specFolder = new URL('../../../', import.meta.url);
const OUTPUTS = ['types', 'control-types', 'control-names'].map(
  (name) => new URL(`src/generated/${name}.ts`, specFolder),
);

if (await isStale(OUTPUTS, specFolder, new URL('./', import.meta.url))) {
  // Imported only if needed, because the compiler of schemas takes a second to load.
  const { typeSteps } = await import('./steps.ts');
  await mkdir(new URL('src/generated/', specFolder), { recursive: true });
  for (const { output, render } of typeSteps) {
    const file = new URL(output, specFolder);
    await writeFile(file, await render(specFolder));
  }
}

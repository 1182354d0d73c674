import { mkdir, writeFile } from 'node:fs/promises';

import { isStale } from './stale.ts';

// The first step of a build creates the types of the YAML files, which the rooms are compiled with. It runs compiled,
// from spec/generate/dist/types.
const specFolder = new URL('../../../', import.meta.url);
const OUTPUTS = [
  'src/generated/types.ts',
  'src/generated/control-types.ts',
  'src/generated/control-names.ts',
  'src/generated/control-operations.ts',
  '../server-reference/src/generated/companions.ts',
].map((output) => new URL(output, specFolder));

if (await isStale(OUTPUTS, specFolder, new URL('./', import.meta.url))) {
  // Imported only if needed, because the compiler of schemas takes a second to load.
  const { typeSteps } = await import('./steps.ts');
  for (const { output, render } of typeSteps) {
    const file = new URL(output, specFolder);
    await mkdir(new URL('./', file), { recursive: true });
    await writeFile(file, await render(specFolder));
  }
}

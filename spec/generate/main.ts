import { mkdir, writeFile } from 'node:fs/promises';
import { steps } from './steps.ts';

// Runs compiled, from spec/generate/dist.
const specFolder = new URL('../../', import.meta.url);

for (const step of steps) {
  const target = new URL(step.output, specFolder);
  await mkdir(new URL('./', target), { recursive: true });
  await writeFile(target, await step.render(specFolder));
  console.log(`wrote spec/${step.output}`);
}

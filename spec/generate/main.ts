import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { steps } from './steps.ts';

// Runs compiled, from spec/generate/dist.
const specFolder = new URL('../../', import.meta.url);

for (const { output, render } of steps) {
  const target = new URL(output, specFolder);
  const text = await render(specFolder);
  // A file that is right already stays untouched, so that a build beside this one never reads half of it.
  const isCurrent = (await readFile(target, 'utf8').catch(() => null)) === text;
  if (!isCurrent) {
    await mkdir(new URL('./', target), { recursive: true });
    await writeFile(target, text);
  }
  console.log(`${isCurrent ? 'kept ' : 'wrote'} spec/${output}`);
}

import { readFile, readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { steps } from '../../spec/generate/steps.ts';

const specFolder = new URL('../../spec/', import.meta.url);

test.each(steps)('$output is what `npm run generate` writes', async (step) => {
  const committed = await readFile(new URL(step.output, specFolder), 'utf8');
  expect(committed).toBe(await step.render(specFolder));
});

test.each(['generated/', 'src/generated/'])('every file in %s has its step', async (folder) => {
  const files = await readdir(new URL(folder, specFolder));
  const outputs = steps.map(({ output }) => output).filter((output) => output.startsWith(folder));
  expect(files.map((file) => folder + file).toSorted()).toEqual(outputs.toSorted());
});

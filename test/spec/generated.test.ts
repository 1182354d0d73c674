import { readFile, readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { copies, products } from '../../spec/generate/steps.ts';

const specFolder = new URL('../../spec/', import.meta.url);

test.each(products)('$output is what `npm run generate` writes', async (step) => {
  const committed = await readFile(new URL(step.output, specFolder), 'utf8');
  expect(committed).toBe(await step.render(specFolder));
});

test.each(copies)('$output is what `npm run build` makes', async (step) => {
  const built = await readFile(new URL(step.output, specFolder), 'utf8');
  expect(built).toBe(await step.render(specFolder));
});

test.each(['generated/', 'src/generated/'])('every file in %s has its step', async (folder) => {
  const files = await readdir(new URL(folder, specFolder));
  const outputs = [...copies, ...products]
    .map(({ output }) => output)
    .filter((output) => output.startsWith(folder));
  expect(files.map((file) => folder + file).toSorted()).toEqual(outputs.toSorted());
});

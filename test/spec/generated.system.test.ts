import { readFile, readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { copies, products } from '../../spec/generate/steps.ts';
import { typeSteps } from '../../spec/generate/types/steps.ts';

const specFolder = new URL('../../spec/', import.meta.url);

test.each(products)('$output equals the output of `npm run generate`', async (step) => {
  const committed = await readFile(new URL(step.output, specFolder), 'utf8');
  expect(committed).toBe(await step.render(specFolder));
});

test.each([...copies, ...typeSteps])(
  '$output equals the output of `npm run build`',
  async (step) => {
    const built = await readFile(new URL(step.output, specFolder), 'utf8');
    expect(built).toBe(await step.render(specFolder));
  },
);

test.each(['generated/', 'src/generated/'])('every file in %s has a step', async (folder) => {
  const files = await readdir(new URL(folder, specFolder));
  const outputs = [...copies, ...typeSteps]
    .map(({ output }) => output)
    .filter((output) => output.startsWith(folder));
  expect(files.map((file) => folder + file).toSorted()).toEqual(outputs.toSorted());
});

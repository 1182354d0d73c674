import { expect, onTestFinished, test } from 'vitest';

import { importInto } from '../datasets/dataset-app.ts';
import { writeZip } from '../datasets/write-zip.ts';
import { openExperiments } from './experiment-app.ts';

test('other requests get their turn while an experiment of many examples starts', async () => {
  const { app, dataset, start } = await openExperiments();
  onTestFinished(() => app.close());
  const examples = Array.from({ length: 4_000 }, (_, number) => ({
    name: `examples/${number}/input.json`,
    bytes: '{}',
  }));
  const { body } = await importInto(dataset, writeZip(examples));
  expect(body.created).toBe(examples.length);
  const countExperiments = async (): Promise<number> =>
    (await dataset.get('/experiments')).body.total;
  const before = await countExperiments();
  const started = start();
  let others = 0;
  while ((await countExperiments()) === before) others += 1;
  expect((await started).total).toBeGreaterThan(examples.length);
  expect(others).toBeGreaterThan(4);
});

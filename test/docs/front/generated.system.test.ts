import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ROOT } from '../../compiled-program.ts';
import { facts } from './facts.ts';

const README = join(ROOT, 'README.md');
const MAX_PICTURE_BYTES = 200_000;

// `npm run generate` runs this file with `-u`, which writes the facts.
test('the front page has the facts that `npm run generate` measures', async () => {
  const page = readFileSync(README, 'utf8');
  const generated = page.replace(
    /<!-- facts -->\n[^]*?<!-- \/facts -->/,
    () => `<!-- facts -->\n\n${facts()}\n\n<!-- /facts -->`,
  );
  expect(page).toContain('<!-- facts -->');
  await expect(generated).toMatchFileSnapshot(README);
});

test('the front page shows each picture in light and dark, and each is small', () => {
  const page = readFileSync(README, 'utf8');
  const shown = page.match(/docs\/pictures\/[\w-]+\.png/g) ?? [];
  const names = new Set(shown);
  expect(names.size).toBeGreaterThan(0);
  for (const name of names) {
    expect(statSync(join(ROOT, name)).size, name).toBeLessThan(MAX_PICTURE_BYTES);
    const [light, dark] = [name.replace('-dark.', '-light.'), name.replace('-light.', '-dark.')];
    expect(names).toContain(light);
    expect(names).toContain(dark);
  }
});

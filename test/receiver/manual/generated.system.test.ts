import { join } from 'node:path';

import { format } from 'prettier';
import { expect, test } from 'vitest';

import { ROOT } from '../../compiled-program.ts';
import { optionsPage, receiverOptions } from './options.ts';

// `npm run generate` runs this file with `-u`, which writes the page.
test('receiver/docs/options.md is what `npm run generate` writes', async () => {
  const text = await format(optionsPage(), { parser: 'markdown' });
  await expect(text).toMatchFileSnapshot(join(ROOT, 'receiver/docs/options.md'));
});

test('every option says what it does and its default', () => {
  const silent = receiverOptions().filter(
    ({ isRequired, text }) => text === '' || (!isRequired && !/Default: ./.test(text)),
  );
  expect(silent).toEqual([]);
});

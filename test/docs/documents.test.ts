import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { ROOT } from '../compiled-program.ts';

/** Documents for contributors, and the folders that the paths in them start from. */
const DOCUMENTS = {
  'server-reference/MAP.md': ['server-reference', 'server-reference/src', 'spec'],
  'conformance/CHECKS.md': ['.', 'conformance'],
  'docs/development.md': ['.'],
  'docs/decisions/promises.md': ['test/receiver'],
};

test.each(Object.entries(DOCUMENTS))('%s names files that exist', (document, folders) => {
  const text = readFileSync(join(ROOT, document), 'utf8');
  const paths = [...text.matchAll(/`([\w./-]+\.(?:ts|yaml|md|js))`/g)].map(([, path = '']) => path);
  const missing = paths.filter(
    (path) => !['', ...folders].some((folder) => existsSync(join(ROOT, folder, path))),
  );
  expect(paths.length).toBeGreaterThan(0);
  expect(missing).toEqual([]);
});

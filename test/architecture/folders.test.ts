import { describe, expect, test } from 'vitest';

import { unorderedImports } from './folder-order.ts';
import { sourceFiles, SOURCE_FOLDERS } from './source-files.ts';

const files = sourceFiles();

describe('folders', () => {
  test.each(SOURCE_FOLDERS)(
    '%s: the entries of each folder have an order, type imports counted',
    (folder) => {
      expect(unorderedImports(files.filter((file) => file.folder === folder))).toEqual([]);
    },
  );
});

const file = (path: string, ...imports: string[]) => ({ path, imports });

describe('the reader of the order', () => {
  test('finds two folders that point at each other', () => {
    const found = unorderedImports([
      file('src/a/1.ts', '../b/1.ts'),
      file('src/b/1.ts'),
      file('src/b/2.ts', '../a/2.ts'),
      file('src/a/2.ts'),
    ]);
    expect(found).toEqual([
      'src: a/ -> b/ (src/a/1.ts imports src/b/1.ts)',
      'src: b/ -> a/ (src/b/2.ts imports src/a/2.ts)',
    ]);
  });

  test('finds a way round through a file beside the folders', () => {
    const found = unorderedImports([
      file('src/a/1.ts', '../top.ts'),
      file('src/top.ts', './a/2.ts'),
      file('src/a/2.ts'),
    ]);
    expect(found).toHaveLength(2);
  });

  test('accepts a file above and another one below a folder', () => {
    const found = unorderedImports([
      file('src/app.ts', './a/1.ts'),
      file('src/a/1.ts', '../names.ts'),
      file('src/names.ts'),
    ]);
    expect(found).toEqual([]);
  });
});

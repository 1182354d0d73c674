import { afterAll, beforeAll, describe, test } from 'vitest';

import { readerWithPackages } from '../../docs/recipes/packed-packages.ts';
import type { ReaderFolder } from '../../docs/recipes/reader-folder.ts';
import { canIsolate } from '../../docs/recipes/typed-shell.ts';
import { followInit } from './scaffold.ts';
import { EXPRESS_COMMONJS } from './scaffolds.ts';

describe('every line that init prints is green', () => {
  const isolated = canIsolate();
  let reader: ReaderFolder;
  beforeAll(async () => {
    reader = await readerWithPackages();
  });
  afterAll(() => reader.remove());

  test(EXPRESS_COMMONJS.name, () => followInit(EXPRESS_COMMONJS, reader, isolated));
});

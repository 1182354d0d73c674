import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { readText, ROOT, SOURCE_FOLDERS, sourceFiles, typescriptFiles } from './source-files.ts';

const files = sourceFiles();
const ROOMS = ['spec', 'receiver', 'server-reference', 'conformance'] as const;

const SHIPPED = [
  'spec/src',
  'receiver/src',
  'server-reference/src',
  'server-reference/dashboard',
  'conformance/src',
  'bin',
] as const;

describe.each(SHIPPED)('files of %s', (folder) => {
  const lengths = files
    .filter((file) => file.folder === folder)
    .map(({ lines }) => lines)
    .toSorted((a, b) => a - b);

  test('have a median of 60 to 130 lines', () => {
    const median = lengths[Math.floor(lengths.length / 2)];
    expect(median).toBeGreaterThanOrEqual(60);
    expect(median).toBeLessThanOrEqual(130);
  });

  test('have less than 25 lines in at most one of ten', () => {
    const short = lengths.filter((lines) => lines < 25);
    expect(short.length).toBeLessThanOrEqual(Math.floor(lengths.length / 10));
  });
});

describe('functions', () => {
  test.each(SOURCE_FOLDERS)('%s: none has more than 60 lines between its braces', (folder) => {
    const long = files
      .filter((file) => file.folder === folder)
      .flatMap(({ path, functions }) =>
        functions
          .filter(({ length }) => length > 60)
          .map(({ line, name, length }) => `${path}:${line} ${name} ${length}`),
      );
    expect(long).toEqual([]);
  });
});

describe('source files', () => {
  test('have at most 400 lines', () => {
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((file) => file.lines > 400).map((file) => file.path)).toEqual([]);
  });

  test('of tests have at most 400 lines too', () => {
    const tests = typescriptFiles('test');
    expect(tests.length).toBeGreaterThan(300);
    expect(tests.filter((path) => readText(path).split('\n').length > 401)).toEqual([]);
  });

  test('are named after a resource or decision', () => {
    const vague = /(^|[/-])(utils?|helpers?|common|misc|manager)(\.tsx?|\/|-)/;
    expect(files.filter((file) => vague.test(file.path)).map((file) => file.path)).toEqual([]);
  });

  test('read process only in entry files of a command line', () => {
    // The clock reads process.hrtime, the only time that the processes of a machine share.
    const entry = /(^bin\/|(^|\/)main\.ts$|^receiver\/src\/clock\.ts$)/;
    const readers = files.filter(
      (file) =>
        !entry.test(file.path) &&
        (file.readsProcess || file.imports.some((name) => name === 'node:process')),
    );
    expect(readers.map((file) => file.path)).toEqual([]);
  });
});

describe('manifests', () => {
  test.each(ROOMS)('%s lists each entry point, without a wildcard', (room) => {
    const manifest: { exports: Record<string, unknown>; files: string[] } = JSON.parse(
      readFileSync(join(ROOT, room, 'package.json'), 'utf8'),
    );
    const entryPoints = Object.keys(manifest.exports);
    expect(entryPoints).toContain('.');
    expect(entryPoints.filter((name) => name.includes('*'))).toEqual([]);
    for (const [name, conditions] of Object.entries(manifest.exports)) {
      if (typeof conditions === 'string') continue;
      expect(conditions, name).toMatchObject({
        types: expect.stringMatching(/^\.\/dist\/.*\.d\.ts$/),
        default: expect.stringMatching(/^\.\/dist\/.*\.js$/),
      });
    }
  });

  test('the receiver has no dependency', () => {
    const manifest: object = JSON.parse(readFileSync(join(ROOT, 'receiver/package.json'), 'utf8'));
    expect(manifest).not.toHaveProperty('dependencies');
  });

  test.each(['spec', 'receiver', 'server-reference', 'conformance'])(
    'npm copies the license and the changelog into the package of %s',
    (room) => {
      const manifest: unknown = JSON.parse(readFileSync(join(ROOT, room, 'package.json'), 'utf8'));
      expect(manifest).toHaveProperty('scripts.prepack', 'node ../.ci/package-texts.mjs');
      expect(manifest).toHaveProperty('files', expect.arrayContaining(['CHANGELOG.md']));
    },
  );

  test('the lock file holds no download address', () => {
    const lock: { packages: Record<string, { resolved?: string }> } = JSON.parse(
      readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
    );
    const addresses = Object.values(lock.packages).filter(({ resolved }) =>
      resolved?.startsWith('http'),
    );
    expect(addresses).toEqual([]);
  });
});

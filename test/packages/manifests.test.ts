import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { ROOT } from '../compiled-program.ts';

function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

describe.each(['spec', 'receiver', 'server-reference', 'conformance'])('%s', (room) => {
  const manifest: { exports: Record<string, unknown> } = JSON.parse(
    readText(`${room}/package.json`),
  );

  test('lists each entry point, without a wildcard', () => {
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

  test('gets the license and the changelog when npm packs it', () => {
    expect(manifest).toHaveProperty('scripts.prepack', 'node ../.ci/package-texts.mjs');
    expect(manifest).toHaveProperty('files', expect.arrayContaining(['CHANGELOG.md']));
  });
});

test('the receiver has the types of each entry point also where TypeScript does not read exports', () => {
  const { exports, types, typesVersions } = JSON.parse(readText('receiver/package.json'));
  const { '.': main, ...others } = exports;
  const entries = Object.entries<{ types?: string }>(others);
  expect(types).toBe(main.types);
  expect(typesVersions['*']).toEqual(
    Object.fromEntries(
      entries.flatMap(([name, conditions]) =>
        conditions.types === undefined ? [] : [[name.slice(2), [conditions.types]]],
      ),
    ),
  );
});

test('the receiver has no dependency', () => {
  expect(JSON.parse(readText('receiver/package.json'))).not.toHaveProperty('dependencies');
});

test('the lock file holds no download address', () => {
  const { packages }: { packages: Record<string, { resolved?: string }> } = JSON.parse(
    readText('package-lock.json'),
  );
  const addresses = Object.values(packages).filter(({ resolved }) => resolved?.startsWith('http'));
  expect(addresses).toEqual([]);
});

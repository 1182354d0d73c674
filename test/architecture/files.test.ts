import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { ROOT, sourceFiles } from './source-files.ts';

const files = sourceFiles();
const ROOMS = ['spec', 'receiver', 'server-reference', 'conformance'] as const;

function quantile(share: number): number {
  const lengths = files.map((file) => file.lines).toSorted((a, b) => a - b);
  return lengths[Math.floor(lengths.length * share)] ?? 0;
}

describe('source files', () => {
  test('stay short: none over 400 lines, nine in ten within 250, half within 90', () => {
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((file) => file.lines > 400).map((file) => file.path)).toEqual([]);
    expect(quantile(0.9)).toBeLessThanOrEqual(250);
    expect(quantile(0.5)).toBeLessThanOrEqual(90);
  });

  test('have a noun or a verb for a name, not a drawer', () => {
    const drawer = /(^|[/-])(utils?|helpers?|common|misc|manager)(\.ts|\/|-)/;
    expect(files.filter((file) => drawer.test(file.path)).map((file) => file.path)).toEqual([]);
  });

  test('read process only in entry files of a command line', () => {
    const entry = /(^bin\/|(^|\/)main\.ts$)/;
    const readers = files.filter(
      (file) =>
        !entry.test(file.path) &&
        (file.readsProcess || file.imports.some((name) => name === 'node:process')),
    );
    expect(readers.map((file) => file.path)).toEqual([]);
  });
});

describe('manifests', () => {
  test.each(ROOMS)('%s names each of its doors, without a wildcard', (room) => {
    const manifest: { exports: Record<string, unknown>; files: string[] } = JSON.parse(
      readFileSync(join(ROOT, room, 'package.json'), 'utf8'),
    );
    const doors = Object.keys(manifest.exports);
    expect(doors).toContain('.');
    expect(doors.filter((door) => door.includes('*'))).toEqual([]);
    for (const [door, conditions] of Object.entries(manifest.exports)) {
      if (typeof conditions === 'string') continue;
      expect(conditions, door).toMatchObject({
        types: expect.stringMatching(/^\.\/dist\/.*\.d\.ts$/),
        default: expect.stringMatching(/^\.\/dist\/.*\.js$/),
      });
    }
  });

  test('the receiver has no third-party dependency', () => {
    const manifest: { dependencies: Record<string, string> } = JSON.parse(
      readFileSync(join(ROOT, 'receiver/package.json'), 'utf8'),
    );
    const spec: { dependencies?: Record<string, string> } = JSON.parse(
      readFileSync(join(ROOT, 'spec/package.json'), 'utf8'),
    );
    expect(Object.keys(manifest.dependencies)).toEqual(['@hookproof/spec']);
    expect(spec.dependencies).toBeUndefined();
  });

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

import { readdir } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { installReceiver } from './installed-package.ts';
import type { InstalledPackage } from './installed-package.ts';
import { PRINTED, PROGRAMS, SQLITE, TYPED_HANDLERS } from './programs.ts';

let project: InstalledPackage;
beforeAll(async () => {
  project = await installReceiver();
});
afterAll(() => project.remove());

describe('the packed receiver', () => {
  test('installs as one package', async () => {
    const modules = path.join(project.folder, 'node_modules');
    const installed = (await readdir(modules)).filter((name) => !name.startsWith('.'));
    expect(installed).toEqual(['@hookproof']);
    expect(await readdir(path.join(modules, '@hookproof'))).toEqual(['receiver']);
  });

  test('has its license, its manual and no source maps', () => {
    const files = project.packed.files.map((file) => file.path);
    expect(files).toContain('LICENSE');
    expect(files).toEqual(expect.arrayContaining(['README.md', 'docs/order.md']));
    expect(files.filter((name) => /\.(map|tsbuildinfo)$/.test(name))).toEqual([]);
  });

  test.each(Object.entries(PROGRAMS))('receives an event from %s', async (name, text) => {
    expect(await project.run(name, text)).toBe(PRINTED);
  });

  test.each([
    ['nodenext', ['handlers.mts', 'handlers.cts']],
    ['bundler', ['handlers.ts']],
  ])('type-checks under %s in %j, narrowed by handler', async (moduleResolution, names) => {
    const module = moduleResolution === 'bundler' ? 'esnext' : 'nodenext';
    const files = Object.fromEntries(names.map((name) => [name, TYPED_HANDLERS]));
    expect(await project.typeCheck(files, { module, moduleResolution })).toBe('');
  });

  test('runs SQLite in its thread, or names the missing driver', async () => {
    const hasDriver = isBuiltin('node:sqlite');
    expect(await project.run('sqlite.mjs', SQLITE)).toBe(
      hasDriver ? PRINTED : 'store_driver_missing\n',
    );
  });

  test('exports its manifest', async () => {
    const text = `console.log(require('@hookproof/receiver/package.json').name);`;
    expect(await project.run('manifest.cjs', text)).toBe('@hookproof/receiver\n');
  });
});

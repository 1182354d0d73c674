import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';

import { IMPORT_TABLE } from './import-table.ts';
import { readSource } from './read-source.ts';
import { importedFiles, ROOT, sourceFile, sourceFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';

interface Manifest {
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
}

/** Imports of modules that are not installed everywhere, which a static import would require. */
const LOADERS = new Set([
  // Node.js before 22.13 has no SQLite; the other driver is optional.
  'receiver/src/stores/sqlite/driver.ts: import(name)',
  // The libraries of the benchmarks are installed separately.
  "test/bench/peers.ts: import(requirePeer.resolve('rolldown'))",
]);

const files = sourceFiles();
const byPath = new Map(files.map((file) => [file.path, file]));

function packageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** A room uses what its own manifest lists; bundles and the folders that never ship also use tools. */
function allowedPackages(manifest: string, bundled = false): Set<string> {
  const read: Manifest = JSON.parse(readFileSync(join(ROOT, manifest, 'package.json'), 'utf8'));
  const tools = manifest === '.' || bundled ? read.devDependencies : {};
  return new Set(Object.keys({ ...read.dependencies, ...read.peerDependencies, ...tools }));
}

function target(file: SourceFile, specifier: string): string {
  return posix.join(posix.dirname(file.path), specifier);
}

function wrongImports(file: SourceFile): string[] {
  const rule = IMPORT_TABLE[file.folder];
  const packages = allowedPackages(rule.manifest, rule.bundled);
  return file.imports.filter((specifier) => {
    if (specifier.startsWith('.')) {
      const inside = target(file, specifier);
      // The generators read the loaders of their own room.
      const home = file.folder === 'spec/generate' ? 'spec/' : `${file.folder}/`;
      const exists = byPath.has(inside) || inside.includes('/generated/');
      return !inside.startsWith(home) || !exists;
    }
    if (specifier.startsWith('node:')) return !rule.node.test(file.path);
    if (specifier.startsWith('@hookproof/'))
      return !rule.own.some((allowed) => allowed.test(specifier));
    return !packages.has(packageName(specifier));
  });
}

function cycleFrom(start: SourceFile): string[] | null {
  const trail: string[] = [];
  const visit = (file: SourceFile): boolean => {
    trail.push(file.path);
    for (const path of importedFiles(file)) {
      const next = byPath.get(path);
      if (next === undefined) continue;
      if (next.path === start.path) return true;
      if (!trail.includes(next.path) && !dead.has(next.path) && visit(next)) return true;
    }
    dead.add(file.path);
    trail.pop();
    return false;
  };
  const dead = new Set<string>();
  return visit(start) ? [...trail, start.path] : null;
}

describe('imports', () => {
  test('follow the import table', () => {
    const wrong = files.flatMap((file) =>
      wrongImports(file).map((specifier) => `${file.path} may not import ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  test('name their module in a literal, without require', () => {
    const unnamed = files.flatMap(({ path, unnamedImports }) =>
      unnamedImports
        .filter((text) => !LOADERS.has(`${path}: ${text}`))
        .map((text) => `${path}: ${text}`),
    );
    expect(unnamed).toEqual([]);
  });

  test('form no cycle, type imports counted', () => {
    const cycles = files.flatMap((file) => cycleFrom(file)?.join(' -> ') ?? []);
    expect(cycles).toEqual([]);
  });

  test('reach @vitest/runner from one file only', () => {
    const importers = files.filter((file) =>
      file.imports.some((specifier) => packageName(specifier) === '@vitest/runner'),
    );
    expect(importers.map((file) => file.path)).toEqual(['conformance/src/engine/engine.ts']);
  });
});

describe('the reader of sources', () => {
  test('sees every form of import', () => {
    const text = `
      import a from 'a'; import type { B } from 'b'; export * from 'c'; export { d } from 'd';
      const e = await import('e'); type F = import('f').F; export { a, e }; export type { B, F };`;
    const { imports, valueImports } = readSource('x.ts', text);
    expect(imports).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(valueImports).toEqual(['a', 'c', 'd', 'e']);
  });

  test('sees a read of process', () => {
    expect(readSource('x.ts', 'export const home = process.env["HOME"];').readsProcess).toBe(true);
    expect(readSource('x.ts', 'export const home = world.process;').readsProcess).toBe(false);
    expect(readSource('x.ts', 'type A = { process: 1 }; a.process(process_);').readsProcess).toBe(
      false,
    );
  });

  test.each([
    'const { env } = process;',
    'const { process } = globalThis;',
    'const { process: here } = globalThis;',
    'const all = globalThis.process;',
    'const env = globalThis["process"].env;',
    'const env = global.process.env;',
    'run(process);',
    'const here = { process };',
  ])('sees process in %s', (text) => {
    expect(readSource('x.ts', text).readsProcess).toBe(true);
  });

  test.each([
    ["const a = require('a');", ["require('a')"]],
    ['const a = await import(name);', ['import(name)']],
    ['const a = await import(`./${name}.ts`);', ['import(`./${name}.ts`)']],
    ["const a = await import('a');", []],
    ["const a = resolver.require('a');", []],
  ])('sees an import without a literal name in %s', (text, expected) => {
    expect(readSource('x.ts', text).unnamedImports).toEqual(expected);
  });

  test('measures a function between its braces, with the name that it was given', () => {
    const text = `
      class A { b(): void {
        c();
        d();
      } }
      const e = () => {
        f();
      };`;
    expect(readSource('x.ts', text).functions).toEqual([
      { name: 'b', line: 2, length: 2 },
      { name: 'e', line: 6, length: 1 },
    ]);
  });

  test('finds a cycle through a type import', () => {
    const one = sourceFile('bin', 'bin/1.ts', "import type { T } from './2.ts';");
    const two = sourceFile('bin', 'bin/2.ts', "import type { T } from './1.ts';");
    byPath.set('bin/1.ts', one).set('bin/2.ts', two);
    expect(cycleFrom(one)).toEqual(['bin/1.ts', 'bin/2.ts', 'bin/1.ts']);
    byPath.delete('bin/1.ts');
    byPath.delete('bin/2.ts');
  });

  test('refuses an import that the table does not allow', () => {
    const text =
      "import '@hookproof/receiver'; import 'stripe'; import 'node:fs'; import '../bin/main.ts';";
    expect(wrongImports(sourceFile('receiver/src', 'receiver/src/order/x.ts', text))).toEqual([
      '@hookproof/receiver',
      'stripe',
      'node:fs',
      '../bin/main.ts',
    ]);
  });

  test('refuses a generated file of another room, and accepts one of the same room', () => {
    const text =
      "import '../../server-reference/src/lab/generated/x.ts'; import './generated/names.ts';";
    expect(wrongImports(sourceFile('conformance/src', 'conformance/src/x.ts', text))).toEqual([
      '../../server-reference/src/lab/generated/x.ts',
    ]);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { ROOT } from '../compiled-program.ts';
import { importedFiles, sourceFile, sourceFiles } from './imports.ts';
import type { SourceFile } from './imports.ts';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

interface Room {
  readonly folder: string;
  readonly manifest: string;
  readonly mayImport: readonly string[];
  readonly doors?: readonly string[];
}

/** The folder of each room, its manifest, the rooms that it may import, and the doors of its own package that it may use. */
const ROOMS: readonly Room[] = [
  { folder: 'spec/src', manifest: 'spec', mayImport: [] },
  { folder: 'receiver/src', manifest: 'receiver', mayImport: [] },
  { folder: 'server-reference/src', manifest: 'server-reference', mayImport: ['spec'] },
  { folder: 'conformance/src', manifest: 'conformance', mayImport: ['spec'] },
  {
    // The proof shares no table with the checks: a mistake there would hide in both.
    folder: 'conformance/proof',
    manifest: 'conformance',
    mayImport: ['spec'],
    doors: ['@hookproof/conformance', '@hookproof/conformance/hooks'],
  },
  {
    folder: 'bin',
    manifest: '.',
    mayImport: ['conformance', 'receiver', 'server-reference', 'spec'],
  },
];

function manifestOf(room: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, room, 'package.json'), 'utf8'));
}

/** Imports of modules outside the room that its manifest does not list. */
function wrongImports(
  file: SourceFile,
  folder: string,
  manifest: Manifest,
  doors: readonly string[] = [],
): string[] {
  const listed = { ...manifest.dependencies, ...manifest.peerDependencies };
  const packages = file.imports
    .filter((name) => !name.startsWith('.') && !name.startsWith('node:') && !doors.includes(name))
    .filter((name) => !Object.hasOwn(listed, packageName(name)));
  const outside = importedFiles(file).filter((path) => !path.startsWith(`${folder}/`));
  return [...packages, ...outside].map((name) => `${file.path} imports ${name}`);
}

function packageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

describe.each(ROOMS)('$folder', ({ folder, manifest, mayImport, doors }) => {
  test('depends on the rooms of the table only', () => {
    const own = Object.keys(manifestOf(manifest).dependencies ?? {}).filter((name) =>
      name.startsWith('@hookproof/'),
    );
    expect(own.toSorted()).toEqual(mayImport.map((room) => `@hookproof/${room}`));
  });

  test('imports its own files and what its manifest lists', () => {
    const read = manifestOf(manifest);
    const wrong = sourceFiles(folder).flatMap((file) => wrongImports(file, folder, read, doors));
    expect(wrong).toEqual([]);
  });
});

test('an import that the manifest does not list is found in each form', () => {
  const text = `
    import type { A } from '@hookproof/receiver/verify';
    import { loadOpenApi } from '@hookproof/spec/openapi';
    import { join } from 'node:path';
    import './b.ts';
    import '@hookproof/conformance/proof';
    import '../proof/index.ts';
    export * from '../../bin/main.ts';
    export const later = () => import('stripe');`;
  const file = sourceFile('conformance/src/a.ts', text);
  expect(wrongImports(file, 'conformance/src', manifestOf('conformance'))).toEqual([
    'conformance/src/a.ts imports @hookproof/receiver/verify',
    'conformance/src/a.ts imports @hookproof/conformance/proof',
    'conformance/src/a.ts imports stripe',
    'conformance/src/a.ts imports conformance/proof/index.ts',
    'conformance/src/a.ts imports bin/main.ts',
  ]);
});

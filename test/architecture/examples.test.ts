import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { loadRequirements } from '@hookproof/spec/requirements';
import { afterAll, describe, expect, test } from 'vitest';

import { publicExports, readExports, ROOMS } from './public-exports.ts';
import type { PublicExport } from './public-exports.ts';
import { ROOT } from './source-files.ts';

const published = ROOMS.flatMap(publicExports);

describe.each(ROOMS)('%s', (room) => {
  test.each(published.filter((one) => one.room === room))(
    '$name ($path) has an @example that uses it',
    ({ name, examples }) => {
      expect(examples.filter((code) => new RegExp(`\\b${name}\\b`).test(code))).not.toEqual([]);
    },
  );
});

test('doc comments name requirements that exist', () => {
  const known = new Set(loadRequirements().map(({ id }) => id));
  const named = published.flatMap(({ requirements }) => requirements);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((id) => !known.has(id))).toEqual([]);
});

describe('the examples', () => {
  // Inside node_modules, so that an example finds the packages by name, as in a user's project.
  const cache = join(ROOT, 'node_modules/.cache');
  let folder = '';
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('compile', async () => {
    await mkdir(cache, { recursive: true });
    folder = await mkdtemp(join(cache, 'examples-'));
    expect(published.flatMap(fileOf).length).toBeGreaterThan(15);
    for (const { name, code } of published.flatMap(fileOf)) {
      await writeFile(join(folder, name), code);
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    expect(await errorsOfTsc(folder)).toBe('');
  }, 60_000);
});

describe('the reader of exports', () => {
  test('finds values by name with their docs, and no types', () => {
    const text = `
      /** One. */
      export const one = 1, two = 2;
      export { three as four } from './three.ts';
      export type { Five } from './five.ts';
      export interface Six {}
      export class Seven {}`;
    expect([...readExports('src/x.ts', text)]).toEqual([
      ['one', { docs: '* One. ' }],
      ['two', { docs: '* One. ' }],
      ['four', { from: 'src/three.ts', name: 'three' }],
      ['Seven', { docs: '' }],
    ]);
  });

  test('refuses an export that it cannot follow', () => {
    expect(() => readExports('x.ts', "export * from './y.ts';")).toThrow(
      'x.ts must export values by name, got export *',
    );
    expect(() => readExports('x.ts', 'const a = 1; export { a };')).toThrow(
      'x.ts must export at the declaration or from another module',
    );
  });
});

/** The settings of a strict consumer. An example may declare a value only to show it. */
const TSCONFIG = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2023',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    verbatimModuleSyntax: true,
    noEmit: true,
    skipLibCheck: true,
  },
  include: ['*.ts'],
};

function fileOf({ room, name, examples }: PublicExport): { name: string; code: string }[] {
  return examples.map((code, place) => ({
    name: `${room}-${name}-${place + 1}.ts`,
    code: `${code}\nexport {};\n`,
  }));
}

/** Returns what the compiler prints, with the file and line of each error. */
async function errorsOfTsc(project: string): Promise<string> {
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
  const tsc = join(dirname(manifest), 'bin/tsc');
  try {
    await promisify(execFile)(process.execPath, [tsc, '-p', project]);
    return '';
  } catch (error) {
    if (error instanceof Error && 'stdout' in error) return String(error.stdout);
    throw error;
  }
}

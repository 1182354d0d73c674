import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, expect, test } from 'vitest';

import { ROOT } from '../../compiled-program.ts';
import { entryPoints, ROOMS } from '../../../docs/generate/entry-points.ts';
import { declarationsOf } from '../../../docs/generate/read-declarations.ts';

/** What the packages publish, without types: the examples of the functions that use them compile against them. */
const published = [
  ...new Map(
    ROOMS.flatMap(entryPoints)
      .flatMap(({ path }) => declarationsOf(path))
      .filter(({ isType }) => !isType)
      .map((declaration) => [`${declaration.path} ${declaration.name}`, declaration]),
  ).values(),
].map(({ path, name, docs }) => ({ path, name, examples: examplesIn(docs) }));

test.each(published)('$name ($path) has an @example that uses it', ({ name, examples }) => {
  expect(examples.filter((code) => new RegExp(`\\b${name}\\b`).test(code))).not.toEqual([]);
});

// Inside node_modules, so that an example finds the packages by name, as in a user's project.
const cache = join(ROOT, 'node_modules/.cache');
let folder = '';
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the examples compile', async () => {
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, 'examples-'));
  const examples = published.flatMap(({ path, name, examples: codes }) =>
    codes.map((code, index) => ({
      name: `${path.replaceAll(/[/.]/g, '-')}-${name}-${index + 1}.ts`,
      code,
    })),
  );
  for (const { name, code } of examples) {
    await writeFile(join(folder, name), `${code}\nexport {};\n`);
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  expect(await errorsOfTsc(folder)).toBe('');
}, 60_000);

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

/** Returns the code in the fence after each `@example`. */
function examplesIn(docs: string): readonly string[] {
  return [...docs.matchAll(/^@example\b[^`]*```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
}

/** Returns what the compiler prints, with the file and line of each error. */
async function errorsOfTsc(project: string): Promise<string> {
  const manifest = createRequire(join(ROOT, 'package.json')).resolve('typescript/package.json');
  const tsc = join(dirname(manifest), 'bin/tsc');
  try {
    await promisify(execFile)(process.execPath, [tsc, '-p', project]);
    return '';
  } catch (error) {
    if (error instanceof Error && 'stdout' in error) return String(error.stdout);
    throw error;
  }
}

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const run = promisify(execFile);
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

const TSCONFIG = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  outDir: 'dist',
  rootDir: '.',
};

const BLOB = ts.factory.createTypeReferenceNode('Blob');

/**
 * Generates the types of a bundled document, and compiles and runs a program that uses them. Returns what it printed,
 * line by line.
 *
 * @throws {Error} with the errors of the compiler
 */
export async function runClient(document: URL, program: string): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-client-'));
  try {
    await symlink(modules, path.join(folder, 'node_modules'));
    await generateTypes(document, path.join(folder, 'generated'));
    await writeFile(path.join(folder, 'main.ts'), program);
    await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: TSCONFIG, include: ['main.ts', 'generated'] }),
    );
    await compile(folder);
    const { stdout } = await run(process.execPath, [path.join(folder, 'dist/main.js')]);
    return stdout.split('\n').filter((line) => line !== '');
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function generateTypes(document: URL, folder: string): Promise<void> {
  const nodes = await openapiTS(JSON.parse(await readFile(document, 'utf8')), {
    transform: (schema) => (schema.format === 'binary' ? BLOB : undefined),
  });
  await mkdir(folder);
  await writeFile(path.join(folder, 'openapi.ts'), astToString(nodes));
}

async function compile(folder: string): Promise<void> {
  const tsc = path.join(modules, 'typescript/bin/tsc');
  await run(process.execPath, [tsc, '-p', folder]).catch((error: { readonly stdout: string }) => {
    throw new Error(`The generated client does not compile:\n${error.stdout.slice(0, 4_000)}`);
  });
}

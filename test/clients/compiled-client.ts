import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { Generate } from './generators.ts';

const run = promisify(execFile);
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

const TSCONFIG = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  outDir: 'dist',
  rootDir: '.',
};

/** The compiler options that a generated client is compiled with besides `strict`. */
export type Strictness = Readonly<Record<string, boolean>>;

/** What a program printed, line by line. Throws with the errors of the compiler. */
export async function runClient(
  document: URL,
  generate: Generate,
  program: string,
  strictness: Strictness,
): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-client-'));
  try {
    await symlink(modules, path.join(folder, 'node_modules'));
    await generate(document, folder);
    await writeFile(path.join(folder, 'main.ts'), program);
    await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
    const compilerOptions = { ...TSCONFIG, ...strictness };
    await writeFile(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['main.ts', 'generated'] }),
    );
    await compile(folder);
    const { stdout } = await run(process.execPath, [path.join(folder, 'dist/main.js')]);
    return stdout.split('\n').filter((line) => line !== '');
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function compile(folder: string): Promise<void> {
  const tsc = path.join(modules, 'typescript/bin/tsc');
  await run(process.execPath, [tsc, '-p', folder]).catch((error: { readonly stdout: string }) => {
    throw new Error(`The generated client does not compile:\n${error.stdout.slice(0, 4_000)}`);
  });
}

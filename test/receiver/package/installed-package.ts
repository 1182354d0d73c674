import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { ROOT } from '../../compiled-program.ts';

const execute = promisify(execFile);

/** What `npm pack --json` reports about a package. */
interface PackedPackage {
  readonly filename: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** An empty project with the packed receiver as its only dependency. */
export interface InstalledPackage {
  readonly folder: string;
  readonly packed: PackedPackage;
  /** Writes a file and runs it; returns what it prints. */
  run(name: string, text: string, node?: string): Promise<string>;
  /** Type-checks files of the project; returns the errors of the compiler. */
  typeCheck(files: Readonly<Record<string, string>>, options: object): Promise<string>;
  remove(): Promise<void>;
}

/** Packs the receiver and installs the file with npm, without a registry. */
export async function installReceiver(): Promise<InstalledPackage> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-package-'));
  const pack = ['pack', '--json', '--pack-destination', folder];
  const { stdout } = await execute('npm', pack, { cwd: path.join(ROOT, 'receiver') });
  const [packed]: PackedPackage[] = JSON.parse(stdout);
  if (packed === undefined) throw new Error('npm pack must report one package, got none.');
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }');
  const tarball = path.join(folder, packed.filename);
  await execute('npm', ['install', '--offline', '--no-audit', tarball], { cwd: folder });
  return {
    folder,
    packed,
    async run(name, text, node = process.execPath) {
      await writeFile(path.join(folder, name), text);
      return (await execute(node, [name], { cwd: folder })).stdout;
    },
    typeCheck: (files, options) => typeCheck(folder, files, options),
    remove: () => rm(folder, { recursive: true }),
  };
}

async function typeCheck(
  folder: string,
  files: Readonly<Record<string, string>>,
  options: object,
): Promise<string> {
  for (const [name, text] of Object.entries(files)) {
    await writeFile(path.join(folder, name), text);
  }
  const types = path.join(folder, 'types');
  await symlink(path.join(ROOT, 'node_modules/@types'), types).catch(ignoreExisting);
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target: 'es2022',
    typeRoots: ['./types'],
    types: ['node'],
    ...options,
  };
  const config = { compilerOptions, files: Object.keys(files) };
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  try {
    return (await execute(process.execPath, [compiler, '-p', folder])).stdout;
  } catch (error) {
    if (error instanceof Error && 'stdout' in error) return String(error.stdout);
    throw error;
  }
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}

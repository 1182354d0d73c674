import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { filterProblems } from '@arethetypeswrong/core/problems';
import { afterAll, describe, expect, test } from 'vitest';

import { ROOT } from '../compiled-program.ts';
import { emptyFolder } from '../empty-folder.ts';

const ROOMS = ['spec', 'receiver', 'server-reference', 'conformance'];

/** The command line has no exports. */
const COMMAND = 'hookproof-0.1.0.tgz';

const folder = mkdtempSync(join(tmpdir(), 'hookproof-packages-'));
const printed = execFileSync(process.execPath, [join(ROOT, '.ci/pack.mjs'), folder], {
  encoding: 'utf8',
});
const packages = readdirSync(folder);
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs publint. Rejects with its output when it ends with another code than 0. */
async function publint(args: readonly string[]): Promise<string> {
  const path = join(ROOT, 'node_modules/.bin/publint');
  return (await promisify(execFile)(path, args, { encoding: 'utf8' })).stdout;
}

function manifestOf(file: string): Record<string, unknown> {
  return JSON.parse(
    execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' }),
  );
}

test('npm run pack writes a package of each room and the command, and prints how to install them', () => {
  const names = [...ROOMS.map((room) => `hookproof-${room}-0.1.0.tgz`), COMMAND];
  expect(packages).toEqual(names.toSorted());
  const installed = [...printed.matchAll(/^ {2}npm install (.+)$/gm)].map(([, line = '']) => line);
  expect(installed).toEqual([join(folder, 'hookproof-receiver-0.1.0.tgz'), join(folder, '*.tgz')]);
});

describe.each(packages)('%s', (name) => {
  const file = join(folder, name);
  const entries = execFileSync('tar', ['-tzf', file], { encoding: 'utf8' }).trim().split('\n');

  test('has its license, its changelog and no source maps', () => {
    for (const text of ['LICENSE', 'CHANGELOG.md', 'README.md']) {
      expect(entries).toContain(`package/${text}`);
    }
    expect(entries.filter((entry) => /\.(map|tsbuildinfo)$/.test(entry))).toEqual([]);
  });

  test('names where it comes from', () => {
    for (const field of ['license', 'author', 'homepage', 'repository', 'bugs', 'keywords']) {
      expect(manifestOf(file)).toHaveProperty(field);
    }
  });

  test('has no script, of which npm would warn whoever installs it', () => {
    expect(manifestOf(file)).not.toHaveProperty('scripts');
  });

  test('satisfies publint', async () => {
    await expect(publint([file, '--strict'])).resolves.toContain('All good!');
  });
});

describe.each(packages.filter((name) => name !== COMMAND))('%s as a library', (name) => {
  const file = join(folder, name);

  test('has the pages of its API', () => {
    const entries = execFileSync('tar', ['-tzf', file], { encoding: 'utf8' }).trim().split('\n');
    expect(entries).toContain('package/docs/api/README.md');
  });

  test('exports its manifest', () => {
    expect(manifestOf(file)['exports']).toHaveProperty(['./package.json'], './package.json');
  });

  test('has types for every resolution of ESM', async () => {
    const checked = await checkPackage(createPackageFromTarballData(readFileSync(file)));
    if (!checked.types) expect.unreachable('the package must have types');
    expect(Object.keys(checked.entrypoints)).toContain('.');
    const problems = (['node16-esm', 'bundler'] as const).flatMap((resolutionKind) =>
      filterProblems(checked, { resolutionKind }),
    );
    expect(problems).toEqual([]);
  });
});

/** Installs packages into a new folder. Returns the folder and what is installed. */
async function install(files: readonly string[]) {
  const app = emptyFolder();
  writeFileSync(join(app, 'package.json'), '{}');
  const paths = files.map((name) => join(folder, name));
  await promisify(execFile)('npm', ['install', '--prefer-offline', ...paths], { cwd: app });
  const lock: { packages: object } = JSON.parse(
    readFileSync(join(app, 'node_modules/.package-lock.json'), 'utf8'),
  );
  return { app, names: Object.keys(lock.packages) };
}

describe('installed from the packages', () => {
  test('the receiver is one package', async () => {
    const { names } = await install(['hookproof-receiver-0.1.0.tgz']);
    expect(names).toEqual(['node_modules/@hookproof/receiver']);
  });

  test('all bring neither SQLite nor the MCP library, for which the command asks', async () => {
    const { app, names } = await install(packages);
    expect(names.filter((name) => /sqlite|modelcontextprotocol/.test(name))).toEqual([]);
    await expect(
      promisify(execFile)(join(app, 'node_modules/.bin/hookproof'), ['mcp'], { cwd: app }),
    ).rejects.toMatchObject({
      code: 2,
      stderr:
        'error: hookproof mcp requires the package @modelcontextprotocol/sdk, which is not here. Run npm install --save-dev @modelcontextprotocol/sdk.\n',
    });
  });
});

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { installReceiver } from './installed-package.ts';
import type { InstalledPackage } from './installed-package.ts';
import { PRINTED, PROGRAMS, SQLITE } from './programs.ts';

const execute = promisify(execFile);

describe.each([22, 24])('the packed receiver on Node.js %i', (version) => {
  let project: InstalledPackage;
  let folder = '';
  let node = '';
  beforeAll(async () => {
    project = await installReceiver();
    folder = await mkdtemp(path.join(tmpdir(), 'hookproof-node-'));
    const name = `node-${process.platform}-${process.arch}`;
    await execute('npm', ['install', '--no-audit', '--prefix', folder, `${name}@${version}`]);
    node = path.join(folder, 'node_modules', name, 'bin/node');
  });
  afterAll(async () => {
    await project.remove();
    await rm(folder, { recursive: true });
  });

  it('is the version that runs', async () => {
    const printed = await project.run('version.mjs', 'console.log(process.version);', node);
    expect(printed).toMatch(new RegExp(`^v${version}\\.`));
  });

  it.each(Object.entries(PROGRAMS))('receives an event from %s', async (name, text) => {
    expect(await project.run(name, text, node)).toBe(PRINTED);
  });

  it('keeps an event in SQLite', async () => {
    expect(await project.run('sqlite.mjs', SQLITE, node)).toBe(PRINTED);
  });
});

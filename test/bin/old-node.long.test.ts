import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

import { ROOT } from '../compiled-program.ts';
import { emptyFolder } from '../empty-folder.ts';
import { PROGRAM } from './hookproof.ts';

const execute = promisify(execFile);

/** Installs a version of Node.js, and returns its program. */
async function installedNode(version: string): Promise<string> {
  const folder = emptyFolder();
  const name = `node-${process.platform}-${process.arch}`;
  await execute('npm', ['install', '--no-audit', '--prefix', folder, `${name}@${version}`]);
  return join(folder, 'node_modules', name, 'bin/node');
}

describe('an older Node.js is told in a sentence what is needed', () => {
  test.each(['18', '20.18'])('by the command line on %s', async (version) => {
    const node = await installedNode(version);
    await expect(execute(node, [PROGRAM, '--version'])).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^hookproof needs Node\.js 20\.19 or newer, this is [\d.]+\. Install a newer version\.\n$/,
      ),
    });
  });

  test('by the receiver on 18, when an app creates one', async () => {
    const node = await installedNode('18');
    const app = `import { createReceiver } from '${ROOT}/receiver/dist/index.js';
      try { createReceiver({}); } catch (error) { console.log(error.message); }`;
    const { stdout } = await execute(node, ['--input-type=module', '--eval', app]);
    expect(stdout).toBe('Receiver needs Node.js 20.19 or newer, this is older.\n');
  });
});

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import { createServer } from '@hookproof/server-reference';
import { describe, expect, onTestFinished, test } from 'vitest';

import { compiledProgram } from '../compiled-program.ts';
import { emptyFolder } from '../empty-folder.ts';
import { startServerProcess } from './server-process.ts';

const run = promisify(execFile);
const closeInProgress = compiledProgram(new URL('programs/close-in-progress.ts', import.meta.url));

describe('createServer, in a process of its own', () => {
  test('lets the process end by itself after close, with connections open', async () => {
    const path = emptyFolder();
    const script = `
      import { createServer } from '@hookproof/server-reference';
      import { connect } from 'node:net';
      const server = await createServer({ store: { kind: 'folder', path: ${JSON.stringify(path)} } });
      const response = await fetch(server.baseUrl + '/v1/auth/check');
      await response.text();
      const half = connect(new URL(server.baseUrl).port, '127.0.0.1', () => half.write('GET / HT'));
      half.on('error', () => {});
      await new Promise((resolve) => half.once('connect', resolve));
      await Promise.all([server.close(), server.close()]);
      console.log('closed');`;
    const { stdout } = await run('node', ['--input-type=module', '-e', script]);
    expect(stdout).toBe('closed\n');
  });

  test.each(['memory', 'folder'])(
    'lets the process end after close on %s, with uploads, exports and runs in progress',
    async (kind) => {
      const store = { kind, path: emptyFolder() };
      const { stdout } = await run('node', [closeInProgress, JSON.stringify(store)]);
      expect(stdout).toBe('201 200 200 closed\n');
    },
  );

  test('works in-process as the README shows', async () => {
    const readme = await readFile(
      new URL('../../server-reference/README.md', import.meta.url),
      'utf8',
    );
    const program = /```ts\n([^]*?)```/.exec(readme)?.[1] ?? '';
    const { stdout } = await run('node', ['--input-type=module', '-e', program]);
    expect(stdout).toMatch(/^200 \{[^]*data:/);
  });

  test('refuses a folder that another process uses, until that process is killed', async () => {
    const path = emptyFolder();
    const other = await startServerProcess(path);
    await expect(createServer({ store: { kind: 'folder', path } })).rejects.toMatchObject({
      name: 'StoreError',
      code: 'store_locked',
      message: expect.stringContaining(path),
    });
    await other.kill();
    const server = await createServer({ store: { kind: 'folder', path } });
    onTestFinished(() => server.close());
    expect(server.world).toEqual(other.world);
  });
});

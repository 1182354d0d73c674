import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { describe, expect, onTestFinished, test } from 'vitest';

import { openStorage } from '../../../server-reference/src/store/open-storage.ts';
import { emptyState } from '../../../server-reference/src/store/state.ts';
import { compiledProgram } from '../../compiled-program.ts';
import { emptyFolder } from '../../empty-folder.ts';
import { setTitle } from './store-contract.ts';

const OPEN_FOLDER = compiledProgram(new URL('../programs/open-folder.ts', import.meta.url));

/** Opens a folder in another process, below a command such as `unshare`. */
async function openElsewhere(
  folder: string,
  ...below: string[]
): Promise<{ outcome: string; child: ChildProcess; gone: Promise<unknown> }> {
  const [command, ...rest] = [...below, 'node', OPEN_FOLDER, folder];
  const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const gone = new Promise((resolve) => child.once('close', resolve));
  const outcome = await new Promise<string>((resolve) =>
    createInterface(child.stdout).once('line', resolve),
  );
  return { outcome, child, gone };
}

const canUnshare = ((): boolean => {
  try {
    execFileSync('unshare', ['--net', '--mount', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe('the lock of a folder', () => {
  test('holds between processes, ends with a kill, and is then free', async () => {
    const folder = emptyFolder();
    const first = await openElsewhere(folder);
    expect(first.outcome).toBe('open');
    expect((await openElsewhere(folder)).outcome).toBe('store_locked');
    first.child.kill('SIGKILL');
    await first.gone;
    const second = await openElsewhere(folder);
    expect(second.outcome).toBe('open');
    second.child.stdin?.end();
    await second.gone;
  });

  test.skipIf(!canUnshare)('holds between network namespaces and over bind mounts', async () => {
    const [folder, mounted] = [emptyFolder(), emptyFolder()];
    const first = await openElsewhere(folder);
    expect(first.outcome).toBe('open');
    expect((await openElsewhere(folder, 'unshare', '--net')).outcome).toBe('store_locked');
    const bind = [
      'unshare',
      '--mount',
      'sh',
      '-c',
      `mount --bind ${folder} ${mounted}; exec "$@"`,
      '-',
    ];
    expect((await openElsewhere(mounted, ...bind)).outcome).toBe('store_locked');
    expect((await openElsewhere(mounted, 'unshare', '--net', ...bind)).outcome).toBe(
      'store_locked',
    );
  });

  test('refuses writes after its file was replaced', async () => {
    const folder = join(emptyFolder(), 'data');
    await mkdir(folder);
    const { store } = await openStorage({ kind: 'folder', path: folder }, emptyState(1, 'token'));
    await rm(join(folder, 'lock'));
    await writeFile(join(folder, 'lock'), '');
    await expect(store.commit(setTitle('one', 'lost'))).rejects.toMatchObject({
      code: 'store_write_failed',
      message: expect.stringContaining('is in use by another server'),
    });
    await expect(store.close()).rejects.toMatchObject({ code: 'store_write_failed' });
  });
});

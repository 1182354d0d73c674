import { chmod, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { openFolderStore } from '../../../../server-reference/src/platform/store/folder-store.ts';
import { emptyState } from '../../../../server-reference/src/platform/state/state.ts';
import type { Store } from '../../../../server-reference/src/platform/store/store.ts';
import { blockWrites, journalIn, readDataFolder } from '../../data-folder.ts';
import { methodsOfFiles } from './methods-of-files.ts';
import { recordingLogger } from './recording-logger.ts';
import { cacheUntilCommit } from '../../../../server-reference/src/platform/store/cache-until-commit.ts';
import { setTitle, storeContract, titles } from './store-contract.ts';
import { temporaryFolder } from './temporary-folder.ts';

function open(folder: string, logger = recordingLogger()): Promise<Store> {
  return openFolderStore(folder, emptyState(1, 'token'), logger);
}

storeContract('the folder store', async () => open(await temporaryFolder()));

describe('the folder store', () => {
  test('keeps its state over a restart, in a folder that it creates', async () => {
    const folder = join(await temporaryFolder(), 'a', 'b');
    const store = await open(folder);
    await store.commit(setTitle('one', 'first'));
    await store.commit(setTitle('two', 'second'));
    await store.commit((state) => {
      for (const { id } of state.tenants.values()) if (id === 'two') state.tenants.delete(id);
    });
    await store.close();
    const again = await open(folder);
    expect(titles(again.state)).toEqual({ one: 'first' });
    await again.close();
    expect((await readdir(folder)).toSorted()).toEqual([
      'state-000001.journal',
      'state-000001.snapshot',
    ]);
  });

  test('writes one batch for all waiting commits', async () => {
    const folder = await temporaryFolder();
    const store = await open(folder);
    await Promise.all(
      Array.from({ length: 200 }, (_, index) => store.commit(setTitle('t', String(index)))),
    );
    const batches = (await readFile(await journalIn(folder), 'utf8')).match(/^batch /gm);
    expect(batches).toHaveLength(1);
    await store.close();
  });

  test('acknowledges only what the folder already contains', async () => {
    const folder = await temporaryFolder();
    const store = await open(folder);
    for (let round = 0; round < 5; round += 1) {
      await store.commit(setTitle('round', String(round)));
      const { tenants } = await readDataFolder(folder);
      expect(tenants['round']?.name).toBe(String(round));
    }
    await store.close();
  });

  test('writes what a commit changes, whatever the folder contains', async () => {
    const folder = await temporaryFolder();
    const store = await open(folder);
    await store.commit((state) => {
      for (let index = 0; index < 5_000; index += 1) setTitle(`t${index}`, 'x')(state);
    });
    const before = (await readFile(await journalIn(folder))).length;
    await store.commit(setTitle('t1', 'changed'));
    const after = (await readFile(await journalIn(folder))).length;
    expect(after - before).toBeLessThan(400);
    await store.close();
  });
});

describe('a flush that fails', () => {
  test('takes back the waiting commits, and a later one succeeds without a restart', async () => {
    const folder = await temporaryFolder();
    const store = await open(folder);
    await store.commit(setTitle('one', 'kept'));
    const { drawn } = store.state.ids;
    const unblock = await blockWrites(folder);
    const waiting = [
      store.commit((state) => {
        state.ids.drawn += 1;
        return setTitle('two', 'lost')(state);
      }),
      store.commit((state) => {
        const one = [...state.tenants.values()].find(({ id }) => id === 'one');
        if (one !== undefined) state.tenants.edit(one.id).name = 'lost';
      }),
      store.commit((state) => {
        for (const { id } of state.tenants.values()) if (id === 'one') state.tenants.delete(id);
      }),
    ];
    for (const commit of waiting) {
      await expect(commit).rejects.toMatchObject({
        code: 'store_write_failed',
        message: expect.stringMatching(/^The change could not be written .* and was taken back\./),
      });
    }
    expect([titles(store.state), store.state.ids.drawn]).toEqual([{ one: 'kept' }, drawn]);
    await unblock();
    await store.commit(setTitle('three', 'kept too'));
    await store.close();
    const again = await open(folder);
    expect(titles(again.state)).toEqual({ one: 'kept', three: 'kept too' });
    await again.close();
  });

  test('clears what was computed from changes that are taken back', async () => {
    const folder = await temporaryFolder();
    const store = await open(folder);
    const cached = cacheUntilCommit<string>(store);
    const ask = (): string => cached('titles', () => JSON.stringify(titles(store.state)));
    const unblock = await blockWrites(folder);
    const failing = store.commit(setTitle('one', 'lost'));
    expect(ask()).toBe('{"one":"lost"}');
    await expect(failing).rejects.toMatchObject({ code: 'store_write_failed' });
    expect(ask()).toBe('{}');
    await unblock();
    await store.close();
  });

  test('takes back commits that began while it was in progress, too', async () => {
    const folder = await temporaryFolder();
    const store = await open(folder);
    let later: Promise<unknown> = Promise.resolve();
    vi.spyOn(await methodsOfFiles(folder), 'datasync').mockImplementationOnce(() => {
      later = store.commit(setTitle('two', 'lost'));
      return Promise.reject(new Error('EIO'));
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const failing = store.commit(setTitle('one', 'lost'));
    await expect(failing).rejects.toMatchObject({ code: 'store_write_failed' });
    await expect(later).rejects.toMatchObject({ code: 'store_write_failed' });
    expect(titles(store.state)).toEqual({});
    await store.commit(setTitle('one', 'kept'));
    expect((await readDataFolder(folder)).tenants).toMatchObject({ one: { name: 'kept' } });
    await store.close();
  });
});

describe('the lock of a folder', () => {
  test('refuses a second store, by any spelling, and names the folder and the fix', async () => {
    const folder = await temporaryFolder();
    const link = join(await temporaryFolder(), 'link');
    await symlink(folder, link);
    const store = await open(folder);
    for (const spelling of [
      folder,
      `${folder}/`,
      `${folder}/../${folder.split('/').pop()}`,
      link,
    ]) {
      await expect(open(spelling)).rejects.toMatchObject({
        code: 'store_locked',
        message: `The data folder ${folder} is in use by another server. Stop that server, or use another folder.`,
      });
    }
    await store.close();
    await (await open(link)).close();
  });

  test('lets one of many succeed', async () => {
    const folder = await temporaryFolder();
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => open(folder)));
    const won = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(won).toHaveLength(1);
    await won[0]?.close();
  });

  test('refuses a path with a symlink loop, and names it', async () => {
    const folder = await temporaryFolder();
    const [here, there] = [join(folder, 'here'), join(folder, 'there')];
    await symlink(here, there);
    await symlink(there, here);
    await expect(open(here)).rejects.toMatchObject({
      code: 'store_unusable_folder',
      message: expect.stringMatching(`${here} is unusable .ELOOP`),
    });
  });

  // The superuser can write anywhere.
  test.skipIf(userInfo().uid === 0)('refuses a folder without write permission', async () => {
    const folder = await temporaryFolder();
    await chmod(folder, 0o500);
    await expect(open(folder)).rejects.toMatchObject({
      code: 'store_unusable_folder',
      message: expect.stringContaining('Use a folder that this user may write to.'),
    });
  });

  test('refuses a path that cannot be a folder, and names it', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'file'), '');
    await expect(open(join(folder, 'file', 'below'))).rejects.toMatchObject({
      code: 'store_unusable_folder',
      message: expect.stringContaining(join(folder, 'file', 'below')),
    });
  });
});

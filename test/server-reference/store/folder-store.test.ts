import { chmod, mkdir, readdir, readFile, rmdir, symlink, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openStorage } from '../../../server-reference/src/store/open-storage.ts';
import { emptyState } from '../../../server-reference/src/store/state.ts';
import type { Store } from '../../../server-reference/src/store/store.ts';
import { emptyFolder } from '../../empty-folder.ts';
import { blockWrites, readDataFolder } from '../data-folder.ts';
import { setTitle, storeContract, titles } from './store-contract.ts';

async function open(folder: string): Promise<Store> {
  return (await openStorage({ kind: 'folder', path: folder }, emptyState(1, 'token'))).store;
}

storeContract('the folder store', async () => open(emptyFolder()));

describe('the folder store', () => {
  test('keeps its state over a restart, in a folder that it creates', async () => {
    const folder = join(emptyFolder(), 'a', 'b');
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
    expect(await readdir(folder)).toEqual(['blobs', 'data.json']);
  });

  test('writes once for all waiting commits', async () => {
    const folder = emptyFolder();
    const store = await open(folder);
    const seen = new Set<string>();
    await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        await store.commit(setTitle(`tenant ${index}`, 'x'));
        seen.add(String(Object.keys((await readDataFolder(folder)).tenants).length));
      }),
    );
    expect([...seen]).toEqual(['200']);
    await store.close();
  });

  test('acknowledges only what the folder already contains', async () => {
    const folder = emptyFolder();
    const store = await open(folder);
    for (let round = 0; round < 5; round += 1) {
      await store.commit(setTitle('round', String(round)));
      const { tenants } = await readDataFolder(folder);
      expect(tenants['round']?.name).toBe(String(round));
    }
    await store.close();
  });
});

describe('a write that fails', () => {
  test('rejects the commits that wait for it; their changes stay, and the next commit writes them', async () => {
    const folder = emptyFolder();
    const store = await open(folder);
    await store.commit(setTitle('one', 'first'));
    const unblock = await blockWrites(folder);
    const waiting = [
      store.commit(setTitle('two', 'second')),
      store.commit(setTitle('one', 'changed')),
    ];
    for (const commit of waiting) {
      await expect(commit).rejects.toMatchObject({
        code: 'store_write_failed',
        message: expect.stringMatching(/^The state could not be written .* Free disk space/),
      });
    }
    expect(titles(store.state)).toEqual({ one: 'changed', two: 'second' });
    expect(Object.keys((await readDataFolder(folder)).tenants)).toEqual(['one']);
    await unblock();
    await store.commit(setTitle('three', 'third'));
    await store.close();
    const again = await open(folder);
    expect(titles(again.state)).toEqual({ one: 'changed', two: 'second', three: 'third' });
    await again.close();
  });

  test('rejects a commit that finds its change made but not written', async () => {
    const folder = emptyFolder();
    const store = await open(folder);
    const unblock = await blockWrites(folder);
    await expect(store.commit(setTitle('one', 'first'))).rejects.toThrow();
    const again = store.commit((state) => state.tenants.get('one')?.name);
    await expect(again).rejects.toMatchObject({ code: 'store_write_failed' });
    await unblock();
    expect(await store.commit((state) => state.tenants.get('one')?.name)).toBe('first');
    expect(Object.keys((await readDataFolder(folder)).tenants)).toEqual(['one']);
    await store.close();
  });

  test('is made again by close', async () => {
    const folder = emptyFolder();
    const [store, other] = [await open(folder), emptyFolder()];
    const unblock = await blockWrites(folder);
    await expect(store.commit(setTitle('one', 'first'))).rejects.toThrow();
    await unblock();
    await store.close();
    expect((await readDataFolder(folder)).tenants).toMatchObject({ one: { name: 'first' } });

    const failing = await open(other);
    await mkdir(join(other, 'data.json.tmp'));
    await expect(failing.commit(setTitle('one', 'lost'))).rejects.toThrow();
    await expect(failing.close()).rejects.toMatchObject({ code: 'store_write_failed' });
    await rmdir(join(other, 'data.json.tmp'));
    await (await open(other)).close();
  });
});

describe('the lock of a folder', () => {
  test('refuses a second store, by any spelling, and names the folder and the fix', async () => {
    const folder = emptyFolder();
    const link = join(emptyFolder(), 'link');
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
    const folder = emptyFolder();
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => open(folder)));
    const won = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(won).toHaveLength(1);
    await won[0]?.close();
  });

  test('refuses a path with a symlink loop, and names it', async () => {
    const folder = emptyFolder();
    const [here, there] = [join(folder, 'here'), join(folder, 'there')];
    await symlink(here, there);
    await symlink(there, here);
    await expect(open(here)).rejects.toMatchObject({
      code: 'store_unusable_folder',
      message: expect.stringMatching(`${here} is unusable .ELOOP`),
    });
  });

  test('leaves a file that is named as the lock, and names it', async () => {
    const folder = emptyFolder();
    const path = join(folder, 'lock');
    await writeFile(path, 'mine');
    await expect(open(folder)).rejects.toMatchObject({
      code: 'store_unusable_folder',
      message: `${path} must be the socket of a server, got another kind of file. Move it away, or use another folder.`,
    });
    expect(await readFile(path, 'utf8')).toBe('mine');
  });

  // The superuser can write anywhere.
  test.skipIf(userInfo().uid === 0)('refuses a folder without write permission', async () => {
    const folder = emptyFolder();
    await chmod(folder, 0o500);
    await expect(open(folder)).rejects.toMatchObject({
      code: 'store_unusable_folder',
      message: expect.stringContaining('Use a folder that this user may write to'),
    });
  });

  test('refuses a path that cannot be a folder, and names it', async () => {
    const folder = emptyFolder();
    await writeFile(join(folder, 'file'), '');
    for (const path of [join(folder, 'file'), join(folder, 'file', 'below')]) {
      await expect(open(path)).rejects.toMatchObject({
        code: 'store_unusable_folder',
        message: expect.stringMatching(
          `${path} is unusable .E.*Use a folder .*, or a path where one can be created.`,
        ),
      });
    }
  });
});

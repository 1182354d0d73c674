import { existsSync } from 'node:fs';
import {
  chmod,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openFolderStore } from '../../../../server-reference/src/platform/store/folder-store.ts';
import { emptyState } from '../../../../server-reference/src/platform/state/state.ts';
import type { Store } from '../../../../server-reference/src/platform/store/store.ts';
import { recordingLogger } from './recording-logger.ts';
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
    await store.close();
    const again = await open(folder);
    expect(titles(again.state)).toEqual({ one: 'first' });
    await again.close();
    expect((await readdir(folder)).toSorted(byText)).toEqual(['state.json']);
  });

  test('writes once for all waiting commits', async () => {
    const folder = await temporaryFolder();
    const store = await open(folder);
    let serialised = 0;
    await store.commit((state) => {
      Object.defineProperty(state.worlds, 'toJSON', {
        value: () => {
          serialised += 1;
          return {};
        },
      });
    });
    serialised = 0;
    await Promise.all(
      Array.from({ length: 200 }, (_, index) => store.commit(setTitle('t', String(index)))),
    );
    expect(serialised).toBe(1);
    await store.close();
  });

  test('acknowledges only what the file already contains', async () => {
    const folder = await temporaryFolder();
    const store = await open(folder);
    for (let round = 0; round < 5; round += 1) {
      await store.commit(setTitle('round', String(round)));
      const onDisk = JSON.parse(await readFile(join(folder, 'state.json'), 'utf8'));
      expect(titles(onDisk)).toEqual({ round: String(round) });
    }
    await store.close();
  });
});

/** In Latin 1, so that one character is one byte. */
async function edit(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, 'latin1');
  expect(text).toContain(from);
  await writeFile(file, text.replace(from, to), 'latin1');
}

async function twoFlushes(): Promise<string> {
  const folder = await temporaryFolder();
  const store = await open(folder);
  await store.commit(setTitle('one', 'first'));
  await store.commit(setTitle('one', 'second'));
  await store.close();
  return folder;
}

describe('a damaged data file', () => {
  test.each([
    ['torn', (file: string) => truncate(file, 40)],
    ['empty', (file: string) => truncate(file, 0)],
    ['of other bytes', (file: string) => writeFile(file, Buffer.alloc(200))],
    ['of other JSON', (file: string) => writeFile(file, '[1]')],
    ['of another shape', (file: string) => edit(file, '"runs":', '"walks":')],
    ['of other kinds', (file: string) => edit(file, '"drawn":0', '"drawn":"0"')],
    ['not in UTF-8', (file: string) => edit(file, 'second', '\xff')],
  ])(
    'that is %s is replaced by the backup with a warning, and kept aside',
    async (_what, damage) => {
      const folder = await twoFlushes();
      await damage(join(folder, 'state.json'));
      const damaged = await readFile(join(folder, 'state.json'));
      const logger = recordingLogger();
      const store = await open(folder, logger);
      expect(titles(store.state)).toEqual({ one: 'first' });
      expect(logger.lines).toEqual([
        expect.stringMatching(/^warn .*state\.json is unusable .*Restored .*state\.json\.bak/),
      ]);
      expect(await readFile(join(folder, 'state.json.damaged'))).toEqual(damaged);
      await store.commit(setTitle('one', 'third'));
      await store.close();
      const again = await open(folder);
      expect(titles(again.state)).toEqual({ one: 'third' });
      await again.close();
    },
  );

  test('that is missing, as after a kill between the renames, is replaced by the backup', async () => {
    const folder = await twoFlushes();
    await rename(join(folder, 'state.json'), join(folder, 'state.json.bak'));
    const logger = recordingLogger();
    const store = await open(folder, logger);
    expect(titles(store.state)).toEqual({ one: 'second' });
    expect(logger.lines).toHaveLength(1);
    await store.close();
  });

  test('that is a half-written temporary file is ignored', async () => {
    const folder = await twoFlushes();
    await writeFile(join(folder, 'state.json.tmp'), '{"format":1,"tena');
    const logger = recordingLogger();
    const store = await open(folder, logger);
    expect(titles(store.state)).toEqual({ one: 'second' });
    expect(logger.lines).toEqual([]);
    await store.close();
  });

  test('with a damaged backup is an error, and no file changes', async () => {
    const folder = await twoFlushes();
    await truncate(join(folder, 'state.json'), 10);
    await writeFile(join(folder, 'state.json.bak'), 'nothing');
    await expect(open(folder)).rejects.toMatchObject({
      code: 'store_corrupt',
      message: expect.stringMatching(
        /state\.json .*and .*state\.json\.bak .*are unusable; nothing was changed/,
      ),
    });
    expect((await readFile(join(folder, 'state.json'))).byteLength).toBe(10);
    expect(await readFile(join(folder, 'state.json.bak'), 'utf8')).toBe('nothing');
    // The lock is free again, so a good copy is enough.
    await rm(join(folder, 'state.json'));
    await rm(join(folder, 'state.json.bak'));
    await (await open(folder)).close();
  });

  test('that lacks a part is reported as such', async () => {
    const folder = await temporaryFolder();
    const { format } = emptyState(1, '');
    await writeFile(join(folder, 'state.json'), JSON.stringify({ format, ids: { seed: 1 } }));
    await expect(open(folder)).rejects.toMatchObject({
      code: 'store_corrupt',
      message: expect.stringContaining('state.ids.drawn is missing or has another type'),
    });
  });

  test.each([
    ['a folder', (file: string) => mkdir(file), 'EISDIR'],
    ['a link to itself', (file: string) => symlink(file, file), 'ELOOP'],
  ])('that is %s is an error, and no file changes', async (_what, spoil, code) => {
    const folder = await temporaryFolder();
    await spoil(join(folder, 'state.json'));
    await expect(open(folder)).rejects.toMatchObject({
      code: 'store_unusable_folder',
      message: expect.stringMatching(`state.json cannot be read .${code}.*nothing was changed`),
    });
    expect(await readdir(folder)).toEqual(['state.json']);
  });

  test('of another format is refused, and the error names the format', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'state.json'), '{"format":99}');
    await expect(open(folder)).rejects.toMatchObject({
      code: 'store_unsupported_format',
      message: expect.stringContaining('must have format 4, got 99. Use the release that wrote it'),
    });
  });
});

describe('a flush that fails', () => {
  test('rejects the waiting commits and every later one, before it changes anything', async () => {
    const folder = await temporaryFolder();
    const store = await open(folder);
    await store.commit(setTitle('one', 'kept'));
    // A folder in place of the temporary file: no write can succeed for any user.
    await mkdir(join(folder, 'state.json.tmp'));
    const waiting = [
      store.commit(setTitle('two', 'lost')),
      store.commit(setTitle('three', 'lost')),
    ];
    for (const commit of waiting) {
      await expect(commit).rejects.toMatchObject({
        code: 'store_write_failed',
        message: expect.stringContaining('Free disk space and restart the server.'),
      });
    }
    await rm(join(folder, 'state.json.tmp'), { recursive: true });
    await expect(store.commit(setTitle('four', 'lost'))).rejects.toMatchObject({
      code: 'store_write_failed',
    });
    expect(titles(store.state)).not.toHaveProperty('four');
    await store.close();
    const again = await open(folder);
    expect(titles(again.state)).toEqual({ one: 'kept' });
    await again.close();
  });
});

// A link to the device that is always full replaces a full disk.
test.skipIf(!existsSync('/dev/full'))(
  'a full disk loses nothing that was acknowledged',
  async () => {
    const folder = await temporaryFolder();
    const store = await open(folder);
    await store.commit(setTitle('one', 'kept'));
    await symlink('/dev/full', join(folder, 'state.json.tmp'));
    await expect(store.commit(setTitle('one', 'lost'))).rejects.toMatchObject({
      code: 'store_write_failed',
      message: expect.stringContaining('ENOSPC'),
    });
    await store.close();
    await rm(join(folder, 'state.json.tmp'));
    const again = await open(folder);
    expect(titles(again.state)).toEqual({ one: 'kept' });
    await again.close();
  },
);

describe('the lock of a folder', () => {
  test('refuses a second store, by any spelling, and names the folder and the fix', async () => {
    const folder = await temporaryFolder();
    const link = `${folder}-link`;
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
    await rm(link);
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

function byText(one: string, other: string): number {
  return one < other ? -1 : 1;
}

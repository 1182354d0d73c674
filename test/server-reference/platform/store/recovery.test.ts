import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { openFolderStore } from '../../../../server-reference/src/platform/store/folder-store.ts';
import { emptyState } from '../../../../server-reference/src/platform/state/state.ts';
import type { Store } from '../../../../server-reference/src/platform/store/store.ts';
import { journalIn } from '../../data-folder.ts';
import { recordingLogger } from './recording-logger.ts';
import { setTitle, titles } from './store-contract.ts';
import { temporaryFolder } from './temporary-folder.ts';

function open(folder: string, logger = recordingLogger()): Promise<Store> {
  return openFolderStore(folder, emptyState(1, 'token'), logger);
}

/** A folder with three batches, and the size of the journal after each. */
async function threeBatches(): Promise<{ folder: string; journal: string; ends: number[] }> {
  const folder = await temporaryFolder();
  const store = await open(folder);
  const journal = await journalIn(folder);
  const ends: number[] = [];
  for (const name of ['first', 'second', 'third']) {
    await store.commit(setTitle('one', name));
    ends.push((await stat(journal)).size);
  }
  await store.close();
  return { folder, journal, ends };
}

async function contents(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('state'));
  const texts = names.map(async (name) => [name, await readFile(join(folder, name), 'latin1')]);
  return Object.fromEntries(await Promise.all(texts));
}

describe('a journal that a kill cut off', () => {
  test('at every byte: the whole batches count, and the next commit continues after them', async () => {
    const { folder, journal, ends } = await threeBatches();
    const whole = await readFile(journal);
    const start = whole.indexOf('\n') + 1;
    for (let length = 0; length <= whole.length; length += length < start ? 9 : 7) {
      await writeFile(journal, whole.subarray(0, length));
      const logger = recordingLogger();
      const store = await open(folder, logger);
      const batches = ends.filter((end) => end <= length).length;
      const expected = ['first', 'second', 'third'][batches - 1];
      expect(titles(store.state)).toEqual(expected === undefined ? {} : { one: expected });
      expect(logger.lines).toEqual([]);
      await store.commit(setTitle('two', 'next'));
      await store.close();
      const again = await open(folder);
      expect(titles(again.state)).toMatchObject({ two: 'next' });
      await again.close();
    }
  });

  test('with zeros instead of its last page, which a power cut leaves: cut, with a warning', async () => {
    const { folder, journal, ends } = await threeBatches();
    const bytes = await readFile(journal);
    bytes.fill(0, (ends[1] ?? 0) + 60);
    await writeFile(journal, bytes);
    const logger = recordingLogger();
    const store = await open(folder, logger);
    expect(titles(store.state)).toEqual({ one: 'second' });
    expect(logger.lines).toEqual([
      `warn ${journal} was cut at byte ${ends[1]}; the last writes may be missing.`,
    ]);
    await store.close();
  });
});

describe('a journal that a full disk kept from being used', () => {
  test.each([0, 9, null])(
    'with %j bytes of its first line: the cut journal before it counts as the last one',
    async (length) => {
      const { folder, journal, ends } = await threeBatches();
      const whole = await readFile(journal);
      await writeFile(journal, whole.subarray(0, (ends[1] ?? 0) + 5));
      const next = journal.replace('000001', '000002');
      const first = whole.subarray(0, whole.indexOf('\n') + 1);
      await writeFile(next, first.subarray(0, length ?? first.length));
      const store = await open(folder);
      expect(titles(store.state)).toEqual({ one: 'second' });
      await store.commit(setTitle('two', 'next'));
      await store.close();
      const again = await open(folder);
      expect(titles(again.state)).toEqual({ one: 'second', two: 'next' });
      await again.close();
    },
  );

  test('with a batch: the cut journal before it is refused, and nothing changes', async () => {
    const { folder, journal, ends } = await threeBatches();
    const whole = await readFile(journal);
    await writeFile(journal.replace('000001', '000002'), whole);
    await writeFile(journal, whole.subarray(0, (ends[1] ?? 0) + 5));
    const before = await contents(folder);
    await expect(open(folder)).rejects.toMatchObject({ code: 'store_corrupt' });
    expect(await contents(folder)).toEqual(before);
  });
});

describe('a file that is not as it was written', () => {
  test('one flipped bit anywhere is refused with its place, and nothing changes', async () => {
    const { folder, journal } = await threeBatches();
    const snapshot = journal.replace('.journal', '.snapshot');
    for (const path of [journal, snapshot]) {
      const bytes = await readFile(path);
      for (let place = 0; place < bytes.length; place += 3) {
        const flipped = Buffer.from(bytes);
        flipped[place] = (flipped[place] ?? 0) ^ (1 << (place % 8));
        if (flipped[place] === 0) continue;
        await writeFile(path, flipped);
        const before = await contents(folder);
        await expect(open(folder), `${path} ${place}`).rejects.toMatchObject({
          code: 'store_corrupt',
          message: expect.stringMatching(
            new RegExp(`^${path} is damaged at byte \\d+: .* Nothing was changed\\.`),
          ),
        });
        expect(await contents(folder)).toEqual(before);
      }
      await writeFile(path, bytes);
    }
    await (await open(folder)).close();
  });

  test('a checksum in capital letters is refused', async () => {
    const { folder, journal } = await threeBatches();
    const path = journal.replace('.journal', '.snapshot');
    const [first = '', ...lines] = (await readFile(path, 'latin1')).split('\n');
    const capital = first.slice(0, 8).toUpperCase() + first.slice(8);
    expect(capital).not.toBe(first);
    await writeFile(path, [capital, ...lines].join('\n'), 'latin1');
    await expect(open(folder)).rejects.toMatchObject({
      code: 'store_corrupt',
      message: expect.stringContaining('is damaged at byte 0: the checksum of a record does not'),
    });
  });

  test('a damaged record is named', async () => {
    const { folder, journal } = await threeBatches();
    const text = await readFile(journal, 'utf8');
    await writeFile(journal, text.replace('"first"', '"firzt"'));
    await expect(open(folder)).rejects.toMatchObject({
      message: expect.stringContaining('the checksum of record one of tenants does not match'),
    });
  });

  test.each([
    ['a snapshot without its end', '.snapshot', 'the end is missing'],
    ['a missing journal', null, 'the file is missing'],
  ])('%s', async (_what, kind, message) => {
    const { folder, journal } = await threeBatches();
    if (kind === null) await rm(journal);
    else {
      const path = journal.replace('.journal', kind);
      const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
      await writeFile(path, `${lines.slice(0, -1).join('\n')}\n`);
    }
    await expect(open(folder)).rejects.toMatchObject({
      code: 'store_corrupt',
      message: expect.stringContaining(message),
    });
  });

  test('a folder of a later format is refused, and the error names the format', async () => {
    const { folder, journal } = await threeBatches();
    const path = journal.replace('.journal', '.snapshot');
    const first = '["snapshot",99]';
    const rest = (await readFile(path, 'utf8')).split('\n').slice(1).join('\n');
    await writeFile(path, `${crc32(first).toString(16).padStart(8, '0')} ${first}\n${rest}`);
    await expect(open(folder)).rejects.toMatchObject({
      code: 'store_unsupported_format',
      message: expect.stringContaining('must have format 8, got 99. Use the release that wrote it'),
    });
  });
});

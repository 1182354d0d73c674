import {
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { createWorld } from '../../../../server-reference/src/lab/world/create-world.ts';
import { openFolderStore } from '../../../../server-reference/src/platform/store/folder-store.ts';
import { emptyState } from '../../../../server-reference/src/platform/state/state.ts';
import type { State } from '../../../../server-reference/src/platform/state/state.ts';
import type { Store } from '../../../../server-reference/src/platform/store/store.ts';
import { plainState } from '../../state-by-text.ts';
import type { StateByText } from '../../state-by-text.ts';
import { recordingLogger } from './recording-logger.ts';
import { setTitle, titles } from './store-contract.ts';
import { temporaryFolder } from './temporary-folder.ts';

function open(folder: string, logger = recordingLogger()): Promise<Store> {
  return openFolderStore(folder, emptyState(1, 'token'), logger);
}

/** A folder as releases with format 4 wrote it, with a world and a tenant of this name. */
async function formerFolder(...titlesOfFiles: string[]): Promise<string> {
  const folder = await temporaryFolder();
  for (const [index, title] of titlesOfFiles.entries()) {
    const name = index === 0 ? 'state.json' : 'state.json.bak';
    await writeFile(join(folder, name), JSON.stringify({ format: 4, ...formerState(title) }));
  }
  return folder;
}

function formerState(title: string): StateByText {
  const state = emptyState(1, 'kept token');
  state.defaultWorldId = createWorld(state, Date.UTC(2026, 6, 1)).id;
  setTitle('one', title)(state);
  setTitle('"\\{}[]\u2028 😀', 'hard to scan')(state);
  const plain = plainState(state);
  // Members that a later release added or changed.
  for (const automation of Object.values(plain.automations)) {
    Reflect.deleteProperty(automation, 'versions');
  }
  for (const upload of Object.values(plain.uploads)) {
    if (upload.completedAt === null) Reflect.set(upload, 'fileId', null);
    Reflect.deleteProperty(upload, 'completedAt');
    Reflect.deleteProperty(upload, 'idempotencyKey');
  }
  for (const { review } of Object.values(plain.runReviews)) {
    if (review?.verdict === 'incorrect') Reflect.set(review, 'verdict', 'partial');
  }
  return plain;
}

/** Tables whose records are those of format 4. */
const UNCHANGED = [
  'worlds',
  'tenants',
  'users',
  'apiKeys',
  'folders',
  'templates',
  'files',
] as const;

describe('a folder of format 4', () => {
  test('is moved forward once, with everything in it', async () => {
    const folder = await formerFolder('kept', 'older');
    const store = await open(folder);
    const moved = plainState(store.state as State);
    const { uploads, listed: _listed, ...others } = formerState('kept');
    for (const name of UNCHANGED) expect(moved[name], name).toEqual(others[name]);
    for (const name of ['runs', 'automations', 'examples', 'experiments', 'agents'] as const) {
      expect(Object.keys(moved[name]), name).toEqual(Object.keys(others[name]));
    }
    expect([moved.ids, moved.controlToken, moved.defaultWorldId]).toEqual([
      others.ids,
      others.controlToken,
      others.defaultWorldId,
    ]);
    for (const { id, fileId } of Object.values(uploads)) {
      expect(moved.uploads[id]).toMatchObject({
        fileId: fileId ?? expect.stringMatching(/^file_/),
        completedAt: fileId === null ? null : expect.any(String),
        idempotencyKey: null,
      });
    }
    for (const { id, review } of Object.values(others.runReviews)) {
      const verdict = review?.verdict === 'correct' ? 'correct' : 'incorrect';
      expect(moved.runReviews[id]?.review?.verdict).toBe(review === null ? undefined : verdict);
    }
    await store.commit(setTitle('one', 'changed'));
    await store.close();
    expect((await readdir(folder)).toSorted()).toEqual([
      'state-000001.journal',
      'state-000001.snapshot',
    ]);
    const again = await open(folder);
    expect(titles(again.state)['one']).toBe('changed');
    await again.close();
  });

  test.each([
    ['before the journal', [], true],
    ['after the journal', ['state-000001.journal'], true],
    ['before the rename', ['state-000001.journal', 'state-000001.snapshot.tmp'], true],
    ['before the removal', ['state-000001.journal', 'state-000001.snapshot'], false],
  ])('a kill %s of the move loses nothing', async (_what, present, keepsFormer) => {
    const [folder, moved] = [await formerFolder('kept'), await formerFolder('kept')];
    await (await open(moved)).close();
    for (const name of present) {
      await copyFile(join(moved, name.replace('.tmp', '')), join(folder, name));
    }
    if (!keepsFormer) await writeFile(join(folder, 'state.json'), 'not read any more');
    const store = await open(folder);
    expect(titles(store.state)['one']).toBe('kept');
    await store.close();
    expect((await readdir(folder)).toSorted()).toEqual([
      'state-000001.journal',
      'state-000001.snapshot',
    ]);
  });

  test('of which a kill between two renames left the backup is read without a warning', async () => {
    const folder = await formerFolder('kept');
    await rename(join(folder, 'state.json'), join(folder, 'state.json.bak'));
    const logger = recordingLogger();
    const store = await open(folder, logger);
    expect(titles(store.state)['one']).toBe('kept');
    expect(logger.lines).toEqual([]);
    await store.close();
  });

  test.each([
    ['torn', (file: string) => truncate(file, 400)],
    ['empty', (file: string) => truncate(file, 0)],
    ['of other bytes', (file: string) => writeFile(file, Buffer.alloc(200))],
    ['of other JSON', (file: string) => writeFile(file, '[1]')],
    ['without a part', (file: string) => edit(file, '"controlToken":', '"contrulToken":')],
    ['not in UTF-8', (file: string) => edit(file, 'newer', 'n\xffwer')],
  ])(
    'whose newer file is %s is restored from the backup, with a warning',
    async (_what, damage) => {
      const folder = await formerFolder('newer', 'older');
      await damage(join(folder, 'state.json'));
      const logger = recordingLogger();
      const store = await open(folder, logger);
      expect(titles(store.state)['one']).toBe('older');
      expect(logger.lines).toEqual([
        expect.stringMatching(/^warn .*state\.json is damaged .* Restored /),
      ]);
      expect(await readdir(folder)).toContain('state.json.damaged');
      await store.close();
    },
  );

  test('of which both files are damaged is refused, and nothing changes', async () => {
    const folder = await formerFolder('newer', 'older');
    await truncate(join(folder, 'state.json'), 10);
    await writeFile(join(folder, 'state.json.bak'), 'nothing');
    await expect(open(folder)).rejects.toMatchObject({ code: 'store_corrupt' });
    expect((await readdir(folder)).toSorted()).toEqual(['state.json', 'state.json.bak']);
  });

  test.each([
    ['a folder', (file: string) => mkdir(file), 'EISDIR'],
    ['a link to itself', (file: string) => symlink(file, file), 'ELOOP'],
  ])('whose file is %s is refused, and nothing changes', async (_what, spoil, code) => {
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

describe('what is read must have the shape that was written', () => {
  const cases: [string, (state: Record<string, never>) => void, RegExp][] = [
    [
      'a delivery that is text',
      (s) => Object.assign(s['deliveries'] ?? {}, { dlv_1: 'x' }),
      /in record dlv_1 of deliveries/,
    ],
    [
      'a run that is null',
      (s) => Object.assign(s['runs'] ?? {}, { exec_1: null }),
      /in record exec_1 of runs/,
    ],
    [
      'a file without its hash',
      (s) => firstOf(s['files'], 'sha256'),
      /sha256 must be text in record file_/,
    ],
    [
      'an output file without its hash',
      (s) =>
        Object.assign(Object.values(s['runs'] ?? {})[0] ?? {}, { outputFiles: [{ path: 'a' }] }),
      /outputFiles must be files/,
    ],
    [
      'an unknown default world',
      (s) => Object.assign(s, { defaultWorldId: 'world_none' }),
      /the default world world_none is unknown/,
    ],
  ];
  test.each(cases)('%s is refused', async (_what, spoil, message) => {
    const folder = await formerFolder('kept');
    const file = join(folder, 'state.json');
    const state = JSON.parse(await readFile(file, 'utf8'));
    spoil(state);
    await writeFile(file, JSON.stringify(state));
    await expect(open(folder)).rejects.toMatchObject({
      code: 'store_corrupt',
      message: expect.stringMatching(message),
    });
    expect(await readdir(folder)).toEqual(['state.json']);
  });
});

function firstOf(records: object | undefined, member: string): void {
  Reflect.deleteProperty(Object(Object.values(records ?? {})[0]), member);
}

/** In Latin 1, so that one character is one byte. */
async function edit(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, 'latin1');
  expect(text).toContain(from);
  await writeFile(file, text.replace(from, to), 'latin1');
}

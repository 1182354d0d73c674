import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createServer } from '@hookproof/server-reference';
import { describe, expect, onTestFinished, test } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { controlClient } from '../lab/control/control-client.ts';

/** Returns a folder with the state of a server that has stopped, and the text of its file. */
async function stoppedFolder(): Promise<{ folder: string; path: string; text: string }> {
  const folder = emptyFolder();
  const server = await createServer({ store: { kind: 'folder', path: folder } });
  await controlClient(server).run();
  await server.close();
  const path = join(folder, 'data.json');
  return { folder, path, text: await readFile(path, 'utf8') };
}

async function filesIn(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(files.toSorted().map(async (name) => [name, await readFile(name, 'latin1')])),
  );
}

async function open(path: string): Promise<void> {
  const server = await createServer({ store: { kind: 'folder', path } });
  onTestFinished(() => server.close());
}

test('the data file is JSON that a person can read and edit: a line for each record', async () => {
  const { folder, path, text } = await stoppedFolder();
  const { format, runs, tenants } = JSON.parse(text) as Record<string, { name: string }[]>;
  expect(format).toBe(10);
  expect(runs?.length).toBeGreaterThan(5);
  for (const record of [...(runs ?? []), ...(tenants ?? [])]) {
    expect(text.split('\n').some((line) => line.replace(/,$/, '') === JSON.stringify(record))).toBe(
      true,
    );
  }
  const edited = JSON.parse(text) as { templates: { name: string }[] };
  for (const template of edited.templates) template.name = 'Edited by hand';
  await writeFile(path, JSON.stringify(edited, null, 2));
  const server = await createServer({ store: { kind: 'folder', path: folder } });
  onTestFinished(() => server.close());
  const response = await fetch(`${server.baseUrl}/v1/templates`, {
    headers: { authorization: `Bearer ${server.world.keys.wildcard}` },
  });
  const templates = (await response.json()) as object;
  expect(JSON.stringify(templates)).toContain('Edited by hand');
});

describe('a data file that is damaged is refused by its path, and nothing changes', () => {
  test.each<[string, (text: string) => string, string]>([
    ['it is cut off', (text) => text.slice(0, 700), 'is damaged: SyntaxError'],
    ['it is empty', () => '', 'is damaged: SyntaxError'],
    ['it is no object', () => '[]', 'it is no JSON object'],
    ['a table is missing', (text) => text.replace('"runs":', '"ruins":'), 'it has no list "runs"'],
    ['a record is none', (text) => text.replace('"runs": [', '"runs": [null,'), 'runs[0]'],
  ])('%s', async (_what, damage, reason) => {
    const { folder, path, text } = await stoppedFolder();
    await writeFile(path, damage(text));
    const before = await filesIn(folder);
    await expect(open(folder)).rejects.toMatchObject({
      code: 'store_corrupt',
      message: expect.stringMatching(`The data file ${path} .*${reason.replace(/[[\]]/g, '.')}`),
    });
    expect(await filesIn(folder)).toEqual(before);
  });
});

test('a data file of another format is refused by name, and nothing changes', async () => {
  const { folder, path, text } = await stoppedFolder();
  await writeFile(path, text.replace('"format": 10', '"format": 9'));
  const before = await filesIn(folder);
  await expect(open(folder)).rejects.toMatchObject({
    code: 'store_unsupported_format',
    message: expect.stringContaining(`${path} must have format 10, got format 9.`),
  });
  expect(await filesIn(folder)).toEqual(before);
});

test('content that is damaged is refused at the start', async () => {
  const { folder } = await stoppedFolder();
  const [name = expect.unreachable()] = await readdir(join(folder, 'blobs'));
  const path = join(folder, 'blobs', name);
  await writeFile(path, 'other bytes');
  await expect(open(folder)).rejects.toMatchObject({
    code: 'store_corrupt',
    message: expect.stringContaining(path),
  });
});

test('a folder with other files is used, and they stay', async () => {
  const folder = emptyFolder();
  await writeFile(join(folder, 'notes.txt'), 'mine');
  await open(folder);
  expect(await readFile(join(folder, 'notes.txt'), 'utf8')).toBe('mine');
});

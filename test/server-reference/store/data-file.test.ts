import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createServer } from '@hookproof/server-reference';
import { describe, expect, onTestFinished, test } from 'vitest';

import { controlClient } from '../lab/control/control-client.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Returns a folder with the state of a server that has stopped, and the text of its file. */
async function stoppedFolder(): Promise<{ folder: string; path: string; text: string }> {
  const folder = await temporaryFolder();
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
  expect(format).toBe(9);
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

function lineOf(text: string, part: string): number {
  return text.slice(0, text.indexOf(part)).split('\n').length;
}

function replaceLine(text: string, number: number, line: (old: string) => string): string {
  const lines = text.split('\n');
  return lines.map((old, index) => (index === number - 1 ? line(old) : old)).join('\n');
}

/** Replaces the first occurrence of a part in a table. */
function inTable(text: string, table: string, part: string | RegExp, by: string): string {
  const start = text.indexOf(`"${table}": [`);
  return text.slice(0, start) + text.slice(start).replace(part, by);
}

describe('a data file that is damaged is refused with its place, and nothing changes', () => {
  test.each<[string, (text: string) => [string, string | RegExp]]>([
    [
      'bytes of a record',
      (text: string) => {
        const number = lineOf(text, '"runs": [') + 3;
        return [replaceLine(text, number, (old) => old.replace('":', '"\0')), `line ${number}`];
      },
    ],
    [
      'the end is missing',
      (text: string) => {
        const cut = text.slice(0, text.indexOf('"runs": [') + 700);
        return [cut, `line ${cut.split('\n').length}`];
      },
    ],
    ['everything is missing', () => ['', 'line 1']],
    [
      'a comma between records is missing',
      (text: string) => {
        const number = lineOf(text, '"runs": [') + 2;
        return [replaceLine(text, number, (old) => old.slice(0, -1)), `line ${number + 1}.`];
      },
    ],
    [
      'a token is broken',
      (text: string) => {
        const number = lineOf(text, '"runs": [') + 2;
        return [
          replaceLine(text, number, (old) => old.replace('"status":"', '"status":')),
          `line ${number}.`,
        ];
      },
    ],
    [
      'the brace of a record is missing',
      (text: string) => {
        const number = lineOf(text, '"runs": [') + 2;
        return [replaceLine(text, number, (old) => old.slice(1)), `line ${number}.`];
      },
    ],
    [
      'a token of an indented file is broken',
      (text: string) => {
        const indented = JSON.stringify(JSON.parse(text), null, 2);
        const number = lineOf(indented, '"scheduledTransitions": [') + 1;
        return [replaceLine(indented, number, () => 'nul,'), `line ${number}.`];
      },
    ],
    [
      'a member of a record is missing',
      (text: string) => [text.replace('"history":', '"hi5tory":'), /runs\[0\]\.history/],
    ],
    [
      'a record is none',
      (text: string) => [text.replace('"runs": [', '"runs": [null,'), 'runs[0].id.'],
    ],
    [
      'the status of a run is unknown',
      (text: string) => [
        inTable(text, 'runs', /"status":"\w+"/, '"status":"ru"'),
        'runs[0].status.',
      ],
    ],
    [
      'the status of a delivery is unknown',
      (text: string) => [
        text.replace(
          '"deliveries": []',
          '"deliveries": [{"id":"d","eventId":"e","endpointId":"w","type":"t","status":"lost"}]',
        ),
        'deliveries[0].status.',
      ],
    ],
    [
      'an entry of a history is no record',
      (text: string) => [inTable(text, 'runs', '"history":[', '"history":[1,'), 'runs[0].history.'],
    ],
    [
      'a scheduled transition has an unknown status',
      (text: string) => [
        inTable(
          text,
          'runs',
          '"scheduledTransitions":[',
          '"scheduledTransitions":[{"status":"ru"}],"was":[',
        ),
        'runs[0].scheduledTransitions.',
      ],
    ],
    [
      'the keys of a world are no record',
      (text: string) => [
        inTable(text, 'worlds', '"keys":{', '"keys":[],"was":{'),
        'worlds[0].keys.',
      ],
    ],
    [
      'a time is none',
      (text: string) => [
        inTable(text, 'runs', '"createdAt":"', '"createdAt":"x'),
        'runs[0].createdAt.',
      ],
    ],
    [
      'the default world is missing',
      (text: string) => [
        text.replace('"defaultWorldId": "', '"defaultWorldId": "x'),
        'at defaultWorldId.',
      ],
    ],
    ['a table is missing', (text: string) => [text.replace('"runs":', '"ruins":'), 'at runs.']],
    ['the ids are missing', (text: string) => [text.replace('"drawn"', '"drown"'), 'at ids.']],
  ])('%s', async (_what, damage) => {
    const { folder, path, text } = await stoppedFolder();
    const [damaged, place] = damage(text);
    await writeFile(path, damaged);
    const before = await filesIn(folder);
    await expect(open(folder)).rejects.toMatchObject({
      code: 'store_corrupt',
      message:
        typeof place === 'string' ? expect.stringContaining(place) : expect.stringMatching(place),
    });
    expect(await filesIn(folder)).toEqual(before);
  });
});

describe('a folder of another format is refused by name, and nothing changes', () => {
  test('a data file with another number', async () => {
    const { folder, path, text } = await stoppedFolder();
    await writeFile(path, text.replace('"format": 9', '"format": 10'));
    const before = await filesIn(folder);
    await expect(open(folder)).rejects.toMatchObject({
      code: 'store_unsupported_format',
      message: expect.stringContaining(`${path} must have format 9, got format 10.`),
    });
    expect(await filesIn(folder)).toEqual(before);
  });

  test.each(['state.json', 'state-000001.snapshot', 'state-000012.journal'])(
    'a folder with %s',
    async (name) => {
      const folder = await temporaryFolder();
      await mkdir(join(folder, 'blobs'));
      await writeFile(join(folder, name), '{"format":4}');
      const before = await filesIn(folder);
      await expect(open(folder)).rejects.toMatchObject({
        code: 'store_unsupported_format',
        message: expect.stringContaining(`got the file ${name}.`),
      });
      expect(await filesIn(folder)).toEqual(before);
    },
  );
});

test('a folder with other files is used, and they stay', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'notes.txt'), 'mine');
  await open(folder);
  expect(await readFile(join(folder, 'notes.txt'), 'utf8')).toBe('mine');
});

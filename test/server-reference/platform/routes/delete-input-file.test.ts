import { createServer } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { datasetClient } from '../datasets/dataset-client.ts';
import type { DatasetClient } from '../datasets/dataset-client.ts';
import { readZip } from '../datasets/read-zip.ts';

let server: ReferenceServer;
let client: DatasetClient;
let exampleId: string;
beforeEach(async () => {
  server = await createServer({ store: { kind: 'memory' } });
  client = datasetClient(server);
  const files = [
    { path: 'scans/note.txt', text: 'same bytes' },
    { path: 'scans/note.txt.bak', text: 'same bytes' },
    { path: 'mail.txt', text: 'mail' },
  ];
  exampleId = (await client.add({ name: 'deleting', input: files, expected: files })).id;
});
afterEach(() => server.close());

async function names(): Promise<string[]> {
  const { bytes } = await client.exportZip(`?exampleIds=${exampleId}`);
  return (await readZip(bytes)).map(({ name }) => name.replace('examples/deleting/', ''));
}

describe('DELETE …/examples/{exampleId}/input/{path}', () => {
  test('deletes only that file, once', async () => {
    const response = await client.remove(exampleId, 'scans/note.txt');
    expect([response.status, response.bytes.length]).toEqual([204, 0]);
    expect(await names()).toEqual([
      'input/mail.txt',
      'input/scans/note.txt.bak',
      'expected/mail.txt',
      'expected/scans/note.txt',
      'expected/scans/note.txt.bak',
    ]);
    const again = await client.remove(exampleId, 'scans/note.txt');
    expect([again.status, again.body.issues[0].field]).toEqual([404, 'path']);
  });

  test('accepts an escaped slash, and leaves an empty folder after the last file', async () => {
    for (const path of ['scans%2Fnote.txt', 'scans%2fnote.txt.bak', 'mail.txt']) {
      expect((await client.remove(exampleId, path)).status, path).toBe(204);
    }
    expect((await names())[0]).toBe('input/');
  });

  test('works on the seeded fixtures, by alias', async () => {
    const { datasetAutomationSlug, exampleId: seeded, inputFilePath } = server.world.fixtures;
    const byAlias = datasetClient(server, `workflows.${datasetAutomationSlug}`);
    expect((await byAlias.remove(seeded, inputFilePath)).status).toBe(204);
  });

  test('succeeds for one of many concurrent deletions of a file', async () => {
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => client.remove(exampleId, 'mail.txt')),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      204, 404, 404, 404, 404,
    ]);
  });

  test.each([
    '..%2Fexpected%2Fmail.txt',
    'scans//note.txt',
    'scans/',
    'mail.txt%00',
    '%2Fmail.txt',
  ])('responds 400 to the path %s', async (path) => {
    const response = await client.remove(exampleId, path);
    expect([response.status, response.body.issues[0].field]).toEqual([400, 'path']);
    expect(await names()).toHaveLength(6);
  });

  test('responds 404 and names what is unknown, or belongs to another automation or tenant', async () => {
    const { workflowId, otherTenantExampleId } = server.world.fixtures;
    const path = 'mail.txt';
    const responses = [
      ['id', await datasetClient(server, 'workflows.unknown').remove(exampleId, path)],
      ['id', await client.remove(exampleId, path, server.world.keys.otherTenant)],
      ['exampleId', await client.remove('constructor', path)],
      ['exampleId', await client.remove(otherTenantExampleId, path)],
      ['exampleId', await datasetClient(server, workflowId).remove(exampleId, path)],
      ['path', await client.remove(exampleId, 'scans')],
      ['path', await client.remove(exampleId, 'MAIL.txt')],
    ] as const;
    for (const [field, { status, body }] of responses) {
      expect([status, body.issues[0].field]).toEqual([404, field]);
    }
    expect(await names()).toHaveLength(6);
  });
});

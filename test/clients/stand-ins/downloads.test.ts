import type { ReferenceServer } from '@hookproof/server-reference';
import { createServer, virtualClock } from '@hookproof/server-reference';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { START } from '../../server-reference/lab/control/control-client.ts';
import { openClientWorld } from './worlds.ts';
import type { ClientWorld } from './worlds.ts';

/** Files that make a client throw, or read what its user wants as bytes, if they are sent in their own type. */
const FILES = {
  'a.json': ['application/json', '{"pallets":14}'],
  'a.ld': ['application/ld+json', '{}'],
  'a.html': ['text/html; charset=utf-8', '<p>14</p>'],
  'a.xhtml': ['application/xhtml+xml', '<p/>'],
  'a.txt': ['text/plain', '14'],
  'a.csv': ['text/csv', 'pallets\n14\n'],
  'a.pdf': ['application/pdf', '%PDF-1.7'],
  'a.png': ['image/png', '\x89PNG'],
  'empty.json': ['application/json', ''],
} as const;

const OCTETS = 'application/octet-stream';

/** The media types in which the content of a file is sent. */
const SENT: Readonly<Record<keyof typeof FILES, string>> = {
  'a.json': OCTETS,
  'a.ld': OCTETS,
  'a.html': OCTETS,
  'a.xhtml': OCTETS,
  'a.txt': 'text/plain',
  'a.csv': 'text/csv',
  'a.pdf': 'application/pdf',
  'a.png': 'image/png',
  'empty.json': OCTETS,
};

/** By the size above which downloads are redirected. */
const SERVERS = [
  ['A', null],
  ['A', 0],
  ['B', null],
  ['B', 0],
] as const;

describe.each(SERVERS)('client %s, redirected above %s bytes,', (name, redirectAboveBytes) => {
  let server: ReferenceServer;
  let opened: ClientWorld;
  beforeAll(async () => {
    server = await createServer({
      store: { kind: 'memory' },
      clock: virtualClock({ now: START }),
      redirectAboveBytes,
    });
    opened = await openClientWorld(server, name);
  });
  afterAll(() => server.close());

  const names = Object.keys(FILES) as (keyof typeof FILES)[];

  test.each(names)('gets the bytes of the file %s', async (filename) => {
    const { client } = opened;
    const { body } = await client.sendForm('/files', [partOf(filename)]);
    const { type, bytes } = await client.download(`/files/${body.id}/content`, 'file');
    expect({ type, text: bytes.toString() }).toEqual({
      type: SENT[filename],
      text: FILES[filename][1],
    });
  });

  test.each(names)('gets the bytes of the corrected file %s', async (filename) => {
    const { client, world } = opened;
    const path = `/runs/${world.fixtures.runId}/reviews/expected`;
    const { body } = await client.sendForm(path, [partOf(filename)]);
    const { type, bytes } = await client.download(
      `${path}/${client.writePath(body.name)}`,
      'stored',
    );
    expect({ type, text: bytes.toString() }).toEqual({ type: OCTETS, text: FILES[filename][1] });
  });

  test.each(names)('gets the bytes of the file %s of an example', async (filename) => {
    const { client, world } = opened;
    const { datasetAutomationId, exampleId } = world.fixtures;
    for (const folder of ['input', 'expected']) {
      const path = `/automations/${datasetAutomationId}/examples/${exampleId}/${folder}`;
      await client.sendForm(path, [partOf(filename)]);
      const { type, bytes } = await client.download(
        `${path}/${client.writePath(filename)}`,
        'stored',
      );
      expect({ type, text: bytes.toString() }).toEqual({ type: OCTETS, text: FILES[filename][1] });
    }
  });

  test('gets a dataset as an archive', async () => {
    const { client, world } = opened;
    const path = `/automations/${world.fixtures.datasetAutomationId}/dataset/export`;
    const { type, bytes } = await client.download(path, 'archive');
    expect({ type, begin: bytes.subarray(0, 2).toString() }).toEqual({
      type: 'application/zip',
      begin: 'PK',
    });
  });
});

function partOf(filename: keyof typeof FILES) {
  const [type, text] = FILES[filename];
  return { name: 'file', filename, type, bytes: Buffer.from(text) };
}

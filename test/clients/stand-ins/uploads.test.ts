import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { START } from '../../server-reference/lab/control/control-client.ts';
import type { FormPart, StandIn } from './stand-in.ts';
import { openClientWorld, PREFIXES } from './worlds.ts';

const BYTES = Buffer.from('{"carrier":"Northway"}');
const DECLARED = {
  filename: 'carrier.json',
  contentType: 'application/json',
  size: BYTES.length,
  purpose: 'run-input',
};

/** Uploads a file in the way that the server chooses, as clients do. */
async function upload(client: StandIn): Promise<string> {
  const session = (await client.call('POST', '/files/uploads', DECLARED)).body;
  if (session.transport === 'presigned-put') {
    const { 'Content-Length': _length, ...headers } = session.headers;
    expect(await client.put(session.url, headers, BYTES)).toBeLessThan(300);
    return (await client.call('POST', `/files/uploads/${session.uploadId}/complete`)).body.id;
  }
  expect(session.transport).toBe('multipart');
  const { filename, contentType: type, purpose } = DECLARED;
  const parts: FormPart[] = [
    { name: 'file', filename, type, bytes: BYTES },
    { name: 'purpose', text: purpose },
  ];
  return (await client.sendForm(client.formAddress(session.url), parts)).body.id;
}

const rows = (['A', 'B'] as const).flatMap((name) =>
  PREFIXES.map((prefix) => [name, prefix] as const),
);

describe.each(['presigned-put', 'multipart'] as const)('with uploadTransport %s', (transport) => {
  let server: ReferenceServer;
  beforeAll(async () => {
    server = await createServer({
      store: { kind: 'memory' },
      clock: virtualClock({ now: START }),
      uploadTransport: transport,
    });
  });
  afterAll(() => server.close());

  test.each(rows)('client %s uploads a file below %s', async (name, prefix) => {
    const { client } = await openClientWorld(server, name, prefix);
    const id = await upload(client);
    const { filename, contentType, size, purpose } = DECLARED;
    expect((await client.call('GET', `/files/${id}`)).body).toMatchObject({
      filename,
      contentType,
      size,
      purpose,
    });
    expect((await client.download(`/files/${id}/content`, 'file')).bytes.equals(BYTES)).toBe(true);
  });
});

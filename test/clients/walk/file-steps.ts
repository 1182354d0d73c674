import { expect } from 'vitest';

import type { FormPart } from './client.ts';
import type { Steps, Walk } from './walk.ts';

const BYTES = Buffer.from('{"carrier":"Northway"}');
const FILE: FormPart = {
  name: 'file',
  filename: 'carrier.json',
  type: 'application/json',
  bytes: BYTES,
};
const PURPOSE: FormPart = { name: 'purpose', text: 'run-input' };

export const fileSteps: Steps = {
  async 'checks its key'({ client }) {
    const { status, body } = await client.call('GET', '/auth/check');
    expect(status).toBe(200);
    expect(body).toMatchObject({ tenantId: expect.any(String), wildcardGranted: true });
  },

  async 'uploads a JSON file to storage and downloads it'(walk) {
    const { client } = walk;
    const session = (
      await client.call('POST', '/files/uploads', {
        filename: 'carrier.json',
        contentType: 'application/json',
        size: BYTES.length,
        idempotencyKey: 'walk-1',
      })
    ).body;
    expect(session).toMatchObject({ transport: 'presigned-put', fileId: expect.any(String) });
    const headers = withoutLength(session.headers);
    expect(await client.put(session.url, headers, BYTES)).toBeLessThan(300);
    const { body } = await client.call('POST', `/files/uploads/${session.uploadId}/complete`);
    expect(body).toMatchObject({ id: session.fileId, size: BYTES.length });
    walk.notes.fileId = body.id;
    await expectContent(walk, body.id);
  },

  async 'uploads a JSON file as a form, the file before and after its texts'(walk) {
    for (const parts of [
      [FILE, PURPOSE],
      [PURPOSE, FILE],
    ]) {
      const { body } = await walk.client.sendForm('/files', parts);
      expect(body).toMatchObject({ filename: 'carrier.json', purpose: 'run-input' });
      await expectContent(walk, body.id);
    }
  },

  async 'deletes a file'({ client }) {
    const { body } = await client.sendForm('/files', [FILE]);
    expect((await client.call('DELETE', `/files/${body.id}`)).body).toEqual({ deleted: true });
    await expect(client.call('GET', `/files/${body.id}`)).rejects.toMatchObject({ status: 404 });
  },
};

/** Clients set the length themselves. */
function withoutLength(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length'),
  );
}

async function expectContent({ client }: Walk, fileId: string): Promise<void> {
  const { bytes } = await client.download(`/files/${fileId}/content`, 'file');
  expect(bytes.equals(BYTES)).toBe(true);
}

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createServer } from '@hookproof/server-reference';
import { expect, onTestFinished, test } from 'vitest';

import { MAX_FILE_BYTES } from '../../../server-reference/src/api/refuse-full.ts';
import { emptyFolder } from '../../empty-folder.ts';
import { readDataFolder } from '../data-folder.ts';
import { controlClient } from '../lab/control/control-client.ts';

test('a data file of the maximum size is read and written, and accepts more after a deletion', async () => {
  const path = emptyFolder();
  const first = await createServer({ store: { kind: 'folder', path } });
  const { worlds } = await readDataFolder(path);
  const { id } = await controlClient(first).expectOk<{ id: string }>(201, '/worlds', {});
  await first.close();
  const file = join(path, 'data.json');
  const state = JSON.parse(await readFile(file, 'utf8')) as Record<string, Named[]>;
  const template =
    state['templates']?.findLast(({ tenantId }) => tenantId !== '') ?? expect.unreachable();
  template.name = 'x'.repeat(MAX_FILE_BYTES);
  await writeFile(file, JSON.stringify(state));

  const server = await createServer({ store: { kind: 'folder', path } });
  onTestFinished(() => server.close());
  const control = controlClient(server);
  expect(await control.call('/runs', { json: {} })).toMatchObject({
    status: 503,
    body: { issues: [{ code: 'storage_full' }], hint: expect.stringContaining('historyLimit') },
  });
  expect((await control.call(`/worlds/${id}`, { method: 'DELETE' })).status).toBe(204);
  await control.run();
  expect(Object.keys((await readDataFolder(path)).worlds)).toEqual(Object.keys(worlds));
});

interface Named {
  name: string;
  readonly tenantId: string;
}

import { constants } from 'node:buffer';

import { createServer } from '@hookproof/server-reference';
import { expect, onTestFinished, test } from 'vitest';

import { openFolderStore } from '../../../../server-reference/src/platform/store/folder-store.ts';
import { emptyState } from '../../../../server-reference/src/platform/state/state.ts';
import { asId } from '../../state-by-text.ts';
import { recordingLogger } from './recording-logger.ts';
import { temporaryFolder } from './temporary-folder.ts';

const RECORD_BYTES = 4_194_304;
/** Too many for one text. */
const RECORDS = Math.ceil(constants.MAX_STRING_LENGTH / RECORD_BYTES) + 2;

test('a state that is longer than the longest text is read back whole, from journal and snapshot', async () => {
  const path = await temporaryFolder();
  const logger = recordingLogger();
  await (await createServer({ store: { kind: 'folder', path } })).close();
  const store = await openFolderStore(path, emptyState(1, 'token'), logger);
  const ids = Array.from({ length: RECORDS }, (_, index) => `tenant_${index}`);
  for (const id of ids) {
    await store.commit((state) =>
      state.tenants.add({
        id: asId(id),
        worldId: asId('world_x'),
        slug: id,
        name: 'x'.repeat(RECORD_BYTES),
        createdAt: '2026-07-01T00:00:00.000Z',
      }),
    );
  }
  await store.close();
  for (const _ of ['journal', 'snapshot']) {
    const again = await openFolderStore(path, emptyState(1, 'token'), logger);
    expect(ids.every((id) => again.state.tenants.get(id)?.name.length === RECORD_BYTES)).toBe(true);
    await again.commit((state) => {
      state.tenants.edit(asId('tenant_0')).slug = 'changed';
    });
    await again.close();
  }
  const server = await createServer({ store: { kind: 'folder', path }, logger });
  onTestFinished(() => server.close());
  expect(logger.lines).toEqual([]);
});

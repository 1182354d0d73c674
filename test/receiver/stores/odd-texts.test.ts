import { join } from 'node:path';

import { memoryStore } from '@hookproof/receiver/memory';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { runCreatedEvent } from '@hookproof/receiver/testing';
import { describe, expect, it } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { startedReceiver } from '../started-receiver.ts';
import { expectCursors, expectQuarantined } from './odd-texts.ts';

const newFile = (): string => join(emptyFolder(), 'events.db');

describe.each([
  ['memory', () => memoryStore()],
  ['SQLite', () => sqliteStore({ file: newFile() })],
])('%s', (_, create) => {
  it('quarantines run ids that a store would change, each on its own', () =>
    expectQuarantined(create()));

  it('goes on where a page ended, and refuses another text', () => expectCursors(create()));
});

it('keeps a run id of 512 characters of any script', async () => {
  const { deliver, receiver } = await startedReceiver({ store: sqliteStore({ file: newFile() }) });
  const id = '\u{1F600}\u6F22'.repeat(170);
  await deliver(runCreatedEvent({ id: 'whev_1', run: { id } }));
  expect((await receiver.timeline(id))?.steps).toHaveLength(1);
});

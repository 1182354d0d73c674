import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, it } from 'vitest';

import { shareIds, surviveKills } from './accepting-process.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'hookproof-kill-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the SQLite store of a killed process', () => {
  it('keeps every event that it acknowledged, over 20 kills', async () => {
    const counts = Array.from({ length: 20 }, (_, index) => 1 + 2 * index ** 2);
    await surviveKills(path.join(folder, 'kill.db'), counts);
  });

  it('accepts each id once from two processes', async () => {
    await shareIds(path.join(folder, 'share.db'), 1_000, false);
  });

  it('accepts each id once when one of two processes is killed', async () => {
    await shareIds(path.join(folder, 'share-kill.db'), 1_000, true);
  });
});

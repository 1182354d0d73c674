import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { emptyFolder } from '../../../empty-folder.ts';
import { freshDatabase } from '../../../services/databases.ts';
import { describeWith } from '../../../services/local-server.ts';
import { killReplays } from './programs/kill-replays.ts';

const KILLS = 4;
const TITLE = `loses no event and no order, over ${KILLS} kills during replay() and after it`;

async function surviveKills(store: string, addressIn: (folder: string) => string): Promise<void> {
  const folder = emptyFolder();
  const report = await killReplays({
    store,
    address: addressIn(folder),
    journal: path.join(folder, 'journal'),
    kills: KILLS,
    seed: 1,
    processes: 3,
  });
  expect(report).toMatchObject({ lost: [], violations: [] });
  expect(report.acknowledged).toBeGreaterThan(0);
}

describe('the replay of 1,200 events in SQLite', () => {
  it(TITLE, () => surviveKills('sqlite', (folder) => path.join(folder, 'events.db')));
});

describeWith('postgres')('the replay of 1,200 events in PostgreSQL', () => {
  it(TITLE, async () => {
    const url = await freshDatabase();
    await surviveKills('postgres', () => url);
  });
});

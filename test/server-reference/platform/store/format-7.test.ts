import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { createWorld } from '../../../../server-reference/src/lab/world/create-world.ts';
import { createRun } from '../../../../server-reference/src/platform/runs/change-run.ts';
import { recordBody } from '../../../../server-reference/src/platform/sender/settle.ts';
import { emptyState } from '../../../../server-reference/src/platform/state/state.ts';
import type {
  ReadonlyState,
  State,
} from '../../../../server-reference/src/platform/state/state.ts';
import { openFolderStore } from '../../../../server-reference/src/platform/store/folder-store.ts';
import type { Store } from '../../../../server-reference/src/platform/store/store.ts';
import { journalIn } from '../../data-folder.ts';
import { asId } from '../../state-by-text.ts';
import { writeFormerFormat } from './former-format.ts';
import { recordingLogger } from './recording-logger.ts';
import { temporaryFolder } from './temporary-folder.ts';

function open(folder: string): Promise<Store> {
  return openFolderStore(folder, emptyState(1, 'token'), recordingLogger());
}

function recordsOf(state: ReadonlyState): unknown {
  const { grouped: _grouped, hasLargeValuesOnDisk: _onDisk, ...members } = state;
  return JSON.parse(JSON.stringify(members));
}

const NOW = Date.UTC(2026, 6, 1);
const BODY = 'busy '.repeat(100);

/** Changes the runs, and gives each delivery an attempt with a body that all of them share. */
function settle(state: State): void {
  for (const { id } of state.runs.values()) state.runs.edit(id).triggerType = 'changed';
  for (const { id } of state.deliveries.values()) {
    const delivery = state.deliveries.edit(id);
    delivery.status = 'delivered';
    const times = { startedAt: '', finishedAt: '', webhookTimestamp: null, retryAfter: null };
    const result = { status: 400, error: null, detail: null, deliveryFault: null };
    const responseBody = recordBody(state, BODY);
    delivery.attempts.push({ number: 1, trigger: 'automatic', ...times, ...result, responseBody });
  }
}

test('a folder of format 7 is moved forward once, with its edits, response bodies and large values', async () => {
  const folder = await temporaryFolder();
  const store = await open(folder);
  await store.commit((state) => {
    const { id: worldId, fixtures } = createWorld(state, NOW);
    state.defaultWorldId = worldId;
    const automation = state.automations.get(fixtures.workflowId) ?? expect.unreachable();
    const run = { worldId, automation, triggerType: 'api', origin: 'top-level' } as const;
    const createdAt = new Date(NOW).toISOString();
    const endpoint = { url: 'http://127.0.0.1:9/', headers: {}, secret: 'whsec_x', enabled: true };
    state.webhookEndpoints.add({ ...endpoint, id: asId('whep_1'), worldId, createdAt });
    createRun(state, NOW, { ...run, status: 'pending', input: { text: 'x'.repeat(20_000) } });
  });
  await store.commit(settle);
  const expected = recordsOf(store.state);
  expect(JSON.stringify(expected)).toContain('"$large"');
  await store.close();
  const journal = await journalIn(folder);
  await writeFormerFormat(journal, 7);
  await writeFormerFormat(journal.replace('.journal', '.snapshot'), 7);
  expect(await readFile(journal, 'utf8')).not.toContain('\t');
  expect(await readFile(journal, 'utf8')).toMatch(/\["deliveries","dlv_[^"]*",\[\[\["status"/);
  for (const round of ['moves', 'reads']) {
    const again = await open(folder);
    expect(recordsOf(again.state), round).toEqual(expected);
    expect([...again.state.responseBodies.values()], round).toMatchObject([
      { text: BODY, uses: 1 },
    ]);
    await again.close();
    expect((await readdir(folder)).filter((name) => name.startsWith('state')).toSorted()).toEqual([
      'state-000002.journal',
      'state-000002.snapshot',
    ]);
  }
  const snapshot = await readFile(join(folder, 'state-000002.snapshot'), 'utf8');
  expect(snapshot.slice(9)).toMatch(/^\["snapshot",8\]\n/);
});

import type { World } from '@hookproof/server-reference';

import type { Stored, Tables } from './filled-folder.ts';

/** Adds ended runs, each with an event and a settled delivery, as copies of a run of the world. */
export function withRuns(count: number): (tables: Tables, world: World) => void {
  return (tables, { id: worldId, fixtures }) => {
    const { runs = [] } = tables;
    const run = runs.find(({ id }) => id === fixtures.runId);
    if (run === undefined) throw new Error('the world has no ended run');
    const { id, status } = { status: '', ...run };
    const payload = JSON.stringify({ type: 'run.status_changed', data: { run: { id, status } } });
    const createdAt = new Date().toISOString();
    const [events, deliveries] = [tables['events'] ?? [], tables['deliveries'] ?? []];
    Object.assign(tables, { events, deliveries });
    for (let index = 0; index < count; index += 1) {
      const runId = `exec_bench${index}`;
      const eventId = `whev_bench${index}`;
      const type = 'run.status_changed';
      runs.push({ ...run, id: runId });
      events.push(stored({ id: eventId, worldId, type, runId, payload, test: false, createdAt }));
      deliveries.push(
        stored({
          id: `dlv_bench${index}`,
          eventId,
          endpointId: 'whep_bench',
          runId,
          type,
          status: 'delivered',
          endReason: null,
          nextAttemptAt: null,
          createdAt,
          attempts: [{ ...ATTEMPT, startedAt: createdAt, finishedAt: createdAt }],
          manualRequests: [],
        }),
      );
    }
  };
}

/** Adds ended runs whose inputs have a megabyte each. */
export function withLargeRuns(count: number): (tables: Tables, world: World) => void {
  return ({ runs = [] }, { fixtures }) => {
    const run = runs.find(({ id }) => id === fixtures.runId);
    if (run === undefined) throw new Error('the world has no ended run');
    const input = { text: 'x'.repeat(1_048_576) };
    for (let index = 0; index < count; index += 1) {
      runs.push(stored({ ...run, id: `exec_large${index}`, input }));
    }
  };
}

const ATTEMPT = {
  number: 1,
  trigger: 'automatic',
  deliveryFault: null,
  webhookTimestamp: 1_800_000_000,
  status: 204,
  error: null,
  detail: null,
  retryAfter: null,
  responseBody: '',
};

function stored(record: Stored & Readonly<Record<string, unknown>>): Stored {
  return record;
}

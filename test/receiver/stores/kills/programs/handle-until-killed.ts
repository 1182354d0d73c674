/**
 * Delivers events to a receiver and handles them in order, until it is killed. It writes to the end of
 * a journal, one line each: `ack` when an event got a 2xx, `begin` and `end` around its handler, and
 * `dead` when it became a dead letter, `delivered` after the last delivery, `idle` when all is handled then, and
 * `replay` and `replayed` around a replay of all events. Argument: the `Task` as JSON.
 */
import { openSync, writeSync } from 'node:fs';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

import { createReceiver } from '@hookproof/receiver';
import type { RunEvent } from '@hookproof/receiver';
import { signEvent } from '@hookproof/receiver/testing';

import { deliveriesOf } from './deliveries.ts';
import { STORES } from './stores-by-name.ts';

export interface Task {
  readonly store: string;
  readonly address: string;
  readonly journal: string;
  /** The name of this process in the journal. */
  readonly name: number;
  readonly seed: number;
  readonly firstWindow: number;
  /** It delivers each `step`-th window. */
  readonly step: number;
  /** It delivers no window from this one on. */
  readonly endWindow: number;
  /** Events that need no further delivery. */
  readonly acknowledged: readonly string[];
  /** Opens dead letters again first. */
  readonly redrive: boolean;
  /** 0: no replay finds an event. */
  readonly keepBodiesDays: number;
  /** After the deliveries it replays all events, each time when all are handled. */
  readonly replays: boolean;
}

const SECRET = 'whsec_7hJmKx2QpLw9';
const CALLERS = 8;
const MAX_OPEN = 200;
const POLL_MILLISECONDS = 10;
/** With SQLite a lease of a process that is gone is free at once. */
const LEASE_MILLISECONDS = { sqlite: 60_000, postgres: 3_000 } as const;

const task = JSON.parse(process.argv[2] ?? '{}') as Task;
const journal = openSync(task.journal, 'a');
const acknowledged = new Set(task.acknowledged);
const note = (what: string, id: string) => writeSync(journal, `${what} ${task.name} ${id}\n`);

const store = STORES[task.store]?.(task.address);
if (store === undefined)
  throw new TypeError(`store must be one of ${Object.keys(STORES).join(', ')}.`);
const receiver = createReceiver({
  secrets: SECRET,
  store,
  mode: 'ordered',
  gapGraceMilliseconds: 3_600_000,
  roundTripGraceMilliseconds: 0,
  leaseMilliseconds:
    task.store === 'sqlite' ? LEASE_MILLISECONDS.sqlite : LEASE_MILLISECONDS.postgres,
  pollMilliseconds: 50,
  maxConcurrentRuns: 8,
  keepBodiesDays: task.keepBodiesDays,
  handlers: {
    async event({ id }) {
      note('begin', id);
      await nextTurn();
      note('end', id);
    },
  },
  onError({ code, eventId }) {
    if (code === 'event_poisoned') note('dead', eventId ?? '');
  },
});

async function deliver(event: RunEvent): Promise<void> {
  const { headers, body } = signEvent(event, { secret: SECRET });
  const { status } = await receiver.receive({ method: 'POST', headers, body });
  if (status >= 300) return;
  note('ack', event.id);
}

async function allHandled(): Promise<void> {
  while ((await receiver.stats()).open > 0) await pause(POLL_MILLISECONDS);
}

await receiver.start();
note('open', '-');
if (task.redrive) await receiver.redrive({});
for (let window = task.firstWindow; window < task.endWindow; window += task.step) {
  const waiting = deliveriesOf(task.seed, window).filter(({ id }) => !acknowledged.has(id));
  const callers = Array.from({ length: CALLERS }, async () => {
    for (let event = waiting.pop(); event !== undefined; event = waiting.pop())
      await deliver(event);
  });
  await Promise.all(callers);
  while ((await store.stats()).open > MAX_OPEN) await nextTurn();
}
note('delivered', '-');
await allHandled();
note('idle', '-');
while (task.replays) {
  note('replay', '-');
  await receiver.replay({});
  note('replayed', '-');
  await allHandled();
}

import { createReceiver, GiveUp } from '@hookproof/receiver';
import type { ReceiverOptions } from '@hookproof/receiver';
import { runTimeline, signEvent } from '@hookproof/receiver/testing';

const SECRET = 'whsec_7hJmKx2QpLw9';

/** Three runs: one that goes well, one with a failure, one that ends as a dead letter. */
export const RUNS = {
  well: ['created', 'pending', 'running', 'completed'],
  failing: ['created', 'pending', 'completed'],
  dead: ['created', 'pending', 'failed'],
} as const;

/** What happened, in the order in which it did: lines of a journal that survives the process. */
export type Line =
  /** The sender got a 2xx. */
  | { readonly what: 'ack'; readonly id: string }
  /** A handler began. */
  | { readonly what: 'begin'; readonly run: string; readonly id: string; readonly attempt: string }
  /** `replay()` has resolved. */
  | { readonly what: 'replayed' };

/**
 * Delivers the events of three runs that nobody has acknowledged yet, some of them twice, handles
 * them, and replays one run unless that was done. It begins again where the journal ends, as an app
 * does whose process has ended.
 */
export async function runScenario(
  store: NonNullable<ReceiverOptions['store']>,
  before: readonly Line[],
  note: (line: Line) => void,
): Promise<void> {
  const acknowledged = new Set(before.flatMap((line) => (line.what === 'ack' ? line.id : [])));
  const receiver = createReceiver({
    secrets: SECRET,
    store,
    mode: 'ordered',
    roundTripGraceMilliseconds: 0,
    gapGraceMilliseconds: 3_600_000,
    keepBodiesDays: 1,
    retryDelayMilliseconds: 1,
    leaseMilliseconds: 60_000,
    handlers: {
      event({ id, data: { run } }, { attempt, isReplay }) {
        note({ what: 'begin', run: run.id, id, attempt: `${isReplay ? 'replay ' : ''}${attempt}` });
        if (run.id === 'failing' && run.status === 'pending' && attempt === 1) {
          throw new Error('It fails once.');
        }
        if (run.status === 'failed') throw new GiveUp('It is a dead letter.');
      },
    },
    onError: () => {},
  });
  await receiver.start();
  const runs = Object.entries(RUNS).map(([id, statuses]) => runTimeline(statuses, { run: { id } }));
  for (const place of RUNS.well.keys()) {
    const together = runs.flatMap((run) => run[place] ?? []);
    const deliveries = [...together, ...together.slice(0, 1)];
    await Promise.all(
      deliveries.map(async (event) => {
        if (acknowledged.has(event.id)) return;
        const { headers, body } = signEvent(event, { secret: SECRET });
        const { status } = await receiver.receive({ method: 'POST', headers, body });
        if (status < 300) note({ what: 'ack', id: event.id });
      }),
    );
  }
  await handled();
  if (!before.some(({ what }) => what === 'replayed')) {
    await receiver.replay({ runId: 'well' });
    note({ what: 'replayed' });
  }
  await handled();
  await receiver.close();

  async function handled(): Promise<void> {
    while ((await receiver.stats()).open > 0) {
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
  }
}

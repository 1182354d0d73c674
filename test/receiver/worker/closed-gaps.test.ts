import type { FetchRun } from '@hookproof/receiver';
import { runTimeline } from '@hookproof/receiver/testing';
import type { RunStatus } from '@hookproof/spec';
import { describe, expect, it } from 'vitest';

import { startedReceiver } from '../started-receiver.ts';

const run = runTimeline(['pending', 'running', 'finalizing', 'completed']);
const ids = run.map(({ id }) => id);
/** All events except the move to `running`, which never arrives. */
const withGap = run.filter((_, place) => place !== 1);

/** Starts a receiver whose `fetchRun` returns these statuses, one for each call. */
async function withSnapshots(statuses: RunStatus[], mode: 'ordered' | 'live' = 'ordered') {
  const asked: string[] = [];
  const fetchRun: FetchRun = async (runId, event) => {
    asked.push(`${runId} ${event.id}`);
    const status = statuses.shift();
    if (status === undefined) throw new Error('503 from the API');
    return { ...event.data.run, status, output: 'whole' };
  };
  const started = await startedReceiver({ mode, fetchRun, roundTripGraceMilliseconds: 0 });
  return { ...started, asked };
}

describe('an ended run with a gap that no event fills', () => {
  it('is settled when fetchRun confirms its end, and keeps its gap', async () => {
    const { deliver, advance, handled, settled, asked, problems } = await withSnapshots([
      'completed',
    ]);
    await deliver(...withGap);
    await advance(59_999);
    expect(asked).toEqual([]);
    await advance(1);
    expect(asked).toEqual([`exec_1 ${ids[3]}`]);
    const gap = { after: 'pending', before: 'running' };
    expect(settled).toMatchObject([{ status: 'completed', provenBy: 'snapshot' }]);
    expect(handled.at(-1)).toMatchObject({ order: 'unproven', missing: [gap] });
    expect(await handled.at(-1)?.timeline()).toMatchObject({
      gaps: [{ ...gap, index: 1 }],
      isUnbroken: false,
    });
    expect(problems).toEqual([]);
  });

  it('is settled once, also when the missing event arrives later', async () => {
    const { deliver, advance, handled, settled, asked } = await withSnapshots(['completed']);
    await deliver(...withGap);
    await advance(60_000);
    await deliver(...run.slice(1, 2));
    expect(handled.at(-1)).toMatchObject({ event: { id: ids[1] }, order: 'unproven' });
    expect(settled).toHaveLength(1);
    expect(asked).toHaveLength(1);
  });

  it.each(['running', 'failed'] as const)(
    'is not settled when fetchRun returns %s, until the missing event arrives',
    async (status) => {
      const { deliver, advance, settled, problems } = await withSnapshots([status]);
      await deliver(...withGap);
      await advance(60_000);
      expect(settled).toEqual([]);
      expect(problems).toMatchObject([
        {
          code: 'run_not_confirmed',
          message:
            `Run status must be completed as in its last event, but fetchRun returned ${status}, ` +
            'and events are missing. The run is not settled. Compare the two in the dashboard.',
          runId: 'exec_1',
        },
      ]);
      await deliver(...run.slice(1, 2));
      expect(settled).toMatchObject([{ provenBy: 'events-as-known' }]);
    },
  );

  it('is retried when fetchRun throws, before any handler is called', async () => {
    const { deliver, advance, handledIds, settled, problems } = await withSnapshots([]);
    await deliver(...withGap);
    await advance(60_000);
    expect(handledIds()).toEqual([ids[0], ids[2]]);
    expect(problems).toMatchObject([{ code: 'handler_failed', eventId: ids[3] }]);
    expect(settled).toEqual([]);
  });

  it('is fetched once for its end and an omitted output', async () => {
    const { deliver, advance, handled, settled, asked } = await withSnapshots(['completed']);
    const large = structuredClone(withGap);
    const last = large.at(-1);
    if (last !== undefined) last.data.run.outputOmitted = true;
    await deliver(...large);
    await advance(60_000);
    expect(asked).toHaveLength(1);
    expect(handled.at(-1)).toMatchObject({
      isOutputFetched: true,
      event: { data: { run: { output: 'whole' } } },
    });
    expect(settled).toMatchObject([{ provenBy: 'snapshot' }]);
  });
});

describe('a snapshot', () => {
  it('is not fetched for a complete history or a run that has not ended', async () => {
    const { deliver, advance, settled, asked } = await withSnapshots([]);
    await deliver(...run);
    await deliver(...runTimeline(['pending', 'running'], { run: { id: 'exec_2' } }).slice(1));
    await advance(60_000);
    expect(settled).toMatchObject([{ runId: 'exec_1', provenBy: 'events-as-known' }]);
    expect(asked).toEqual([]);
  });

  it('proves nothing in live mode, where the missing event can still arrive', async () => {
    const { deliver, settled, asked } = await withSnapshots(['completed'], 'live');
    const large = structuredClone(withGap);
    const last = large.at(-1);
    if (last !== undefined) last.data.run.outputOmitted = true;
    await deliver(...large);
    expect(asked).toHaveLength(1);
    expect(settled).toEqual([]);
    await deliver(...run.slice(1, 2));
    expect(settled).toMatchObject([{ provenBy: 'events-as-known' }]);
  });
});

import { FetchRunError } from '@hookproof/receiver/fetch-run';
import { runTimeline } from '@hookproof/receiver/testing';
import type { RunEvent, RunSnapshot } from '@hookproof/spec';
import { describe, expect, it } from 'vitest';

import { startedReceiver } from '../started-receiver.ts';

/** A run whose last event omits its output. */
const run = runTimeline(['pending', 'running', 'completed']);
const large = omitOutput(run);
const snapshot: RunSnapshot = { ...lastRun(run), output: { total: 3 } };

/** Starts a receiver whose fetchRun gives the results in turn; an error rejects. */
async function started(results: readonly (RunSnapshot | Error)[], retryForHours = 24) {
  const left = [...results];
  const app = await startedReceiver({
    mode: 'ordered',
    fetchRun: async () => {
      const result = left.shift();
      if (result === undefined || result instanceof Error) throw result;
      return result;
    },
    retryForHours,
    roundTripGraceMilliseconds: 0,
  });
  return { ...app, left };
}

describe('fetchRun', () => {
  it('fills in an omitted output, once read', async () => {
    const { deliver, handled, settled, problems, left } = await started([snapshot, snapshot]);
    await deliver(...large);
    expect(left).toHaveLength(1);
    expect(handled.at(-1)).toMatchObject({
      isOutputFetched: true,
      attempt: 1,
      event: { data: { run: { status: 'completed', output: { total: 3 } } } },
    });
    expect(settled).toMatchObject([{ status: 'completed', provenBy: 'events-as-known' }]);
    expect(problems).toEqual([]);
  });

  it('is called again after it rejects, and the event is handled once, with the output', async () => {
    const results = [new Error('GET must return 200, got 503'), snapshot];
    const { deliver, advance, handled, handledIds, settled, problems } = await started(results);
    await deliver(...large);
    expect(handledIds()).toEqual([large[0]?.id, large[1]?.id]);
    expect(settled).toEqual([]);
    expect(problems).toMatchObject([
      {
        code: 'handler_failed',
        eventId: large[2]?.id,
        message: expect.stringMatching(
          /^Handling of event \S+ of run exec_1 failed \(attempt 1, next in \d{3} ms\). Error: GET must return 200, got 503$/,
        ),
      },
    ]);
    await advance(799);
    expect(handled).toHaveLength(2);
    await advance(201);
    expect(handledIds()).toEqual(large.map(({ id }) => id));
    expect(handled.at(-1)).toMatchObject({
      attempt: 2,
      event: { data: { run: { output: { total: 3 } } } },
    });
    expect(settled).toHaveLength(1);
    expect(problems).toHaveLength(1);
  });

  it('waits at least as long as the error of fetchRun says', async () => {
    const error = new FetchRunError('too many', { retryAfterMilliseconds: 30_000 });
    const { deliver, advance, handled, problems } = await started([error, error]);
    await deliver(...large);
    expect(problems.map(({ message }) => message)).toEqual([
      `Handling of event ${large[2]?.id} of run exec_1 failed (attempt 1, next in 30000 ms). FetchRunError: too many`,
    ]);
    await advance(29_999);
    expect(problems).toHaveLength(1);
    await advance(1);
    expect(problems).toHaveLength(2);
    expect(handled).toHaveLength(2);
  });

  it('makes the event a dead letter when its time is over, and settles the run when it is redriven', async () => {
    const failure = new Error('GET must return 200, got 404');
    const results = [failure, failure, snapshot];
    const { receiver, deliver, advance, settled, problems } = await started(results, 0.0001);
    await deliver(...large);
    await advance(1_000);
    const error = 'Error: GET must return 200, got 404';
    expect(problems.map(({ code }) => code)).toEqual(['handler_failed', 'event_dead_lettered']);
    expect(problems[1]?.message).toBe(
      `Handling of event ${large[2]?.id} of run exec_1 failed for the last time (attempt 2); see deadLetters(). ${error}`,
    );
    expect((await receiver.deadLetters()).items).toMatchObject([{ id: large[2]?.id, error }]);
    expect(settled).toEqual([]);
    expect(await receiver.redrive({ ids: [large[2]?.id ?? ''] })).toBe(1);
    await receiver.idle();
    expect(settled).toMatchObject([{ status: 'completed' }]);
    expect((await receiver.deadLetters()).items).toEqual([]);
  });

  it('confirms the end of a run with a missing event after a failure', async () => {
    const withGap = run.filter((_event, place) => place !== 1);
    const results = [new Error('socket hang up'), snapshot];
    const { deliver, advance, settled, problems, left } = await started(results);
    await deliver(...withGap);
    expect(left).toHaveLength(2);
    await advance(60_000);
    expect(problems).toMatchObject([{ code: 'handler_failed', eventId: run[2]?.id }]);
    await advance(1_000);
    expect(settled).toMatchObject([{ status: 'completed', provenBy: 'snapshot' }]);
  });
});

function lastRun(events: readonly RunEvent[]): RunSnapshot {
  const last = events.at(-1);
  if (last === undefined) throw new Error('the timeline is empty');
  return last.data.run;
}

function omitOutput(events: readonly RunEvent[]): readonly RunEvent[] {
  const copy = structuredClone(events);
  lastRun(copy).outputOmitted = true;
  return copy;
}

import type { FetchRun, RunEvent } from '@hookproof/receiver';
import { runTimeline } from '@hookproof/receiver/testing';
import { describe, expect, it } from 'vitest';

import { startedReceiver } from '../started-receiver.ts';

/** A run as `GET /v1/runs/{id}` returns it to the platform's clients. */
const VIEW = {
  id: 'exec_1',
  automationId: 'wf_1',
  type: 'workflow',
  status: 'completed',
  triggerType: 'api',
  createdAt: '2026-07-01T12:00:00.000Z',
  startedAt: '2026-07-01T12:00:01.000Z',
  completedAt: '2026-07-01T12:00:02.000Z',
  output: { total: 3 },
  finished: true,
  sampleRank: 0.25,
  timing: { durationMs: 1000, cancelRequestedAt: null },
  source: { id: 'wf_1', name: 'Invoices', version: null },
  trigger: { type: 'api', by: null },
  execution: { status: 'completed', schemaValid: true, batchId: null },
  files: [],
  error: null,
} as const;

const run = runTimeline(['pending', 'running', 'completed']);
const large = withoutOutput(run);

/** Handles a run whose last event omits its output, with what `fetchRun` returns. */
async function handleLarge(fetched: unknown) {
  const fetchRun = (async () => fetched) as FetchRun;
  const started = await startedReceiver({
    mode: 'ordered',
    roundTripGraceMilliseconds: 0,
    fetchRun,
  });
  await started.deliver(...large);
  return started;
}

describe('fetchRun', () => {
  it.each([
    ['the view of the API', VIEW],
    ['a snapshot', { ...run[2]?.data.run, output: { total: 3 } }],
    ['status and output alone', { status: 'completed', output: { total: 3 } }],
    [
      'the status of the execution alone',
      { execution: { status: 'completed' }, output: { total: 3 } },
    ],
    ['a status that is not known', { status: 'archived', output: { total: 3 } }],
  ])('takes the output from %s', async (_what, fetched) => {
    const { handled, problems } = await handleLarge(fetched);
    expect(problems).toEqual([]);
    expect(handled.at(-1)).toMatchObject({
      isOutputFetched: true,
      event: { data: { run: { status: 'completed', output: { total: 3 } } } },
    });
  });

  it('takes null as an output', async () => {
    const { handled } = await handleLarge({ ...VIEW, output: null });
    expect(handled.at(-1)?.event.data.run.output).toBeNull();
  });

  const aRun = 'fetchRun must return a run, an object with a status, got';
  const fix = 'Return the parsed JSON of GET /v1/runs/{id} unchanged.';
  it.each([
    ['nothing', undefined, `${aRun} undefined. ${fix}`],
    ['a text', '{}', `${aRun} string. ${fix}`],
    ['an array', [VIEW], `${aRun} array. ${fix}`],
    ['a response', Response.json(VIEW), `${aRun} response. ${fix}`],
    ['a wrapped run', { data: VIEW, status: 200 }, `${aRun} one without it. ${fix}`],
    ['no status', { id: 'exec_1', output: 1 }, `${aRun} one without it. ${fix}`],
    [
      'no output',
      { ...VIEW, output: undefined },
      'fetchRun must return the run exec_1 with its output, because the event omits it, got a run without ' +
        'the member output. Return the response of GET /v1/runs/{id} unchanged.',
    ],
    [
      'the snapshot of the event',
      large[2]?.data.run,
      'fetchRun must return the run exec_1 with its output, because the event omits it, got a run without ' +
        'the member output. Return the response of GET /v1/runs/{id} unchanged.',
    ],
    [
      'another run',
      { ...VIEW, id: 'exec_2' },
      'fetchRun must return the run exec_1, got a run with another id. Read the run that its first argument names.',
    ],
  ])('names what is missing in %s, and the event is retried', async (_what, fetched, message) => {
    const { handled, problems } = await handleLarge(fetched);
    expect(handled).toHaveLength(2);
    expect(problems).toMatchObject([
      {
        code: 'handler_failed',
        message: expect.stringContaining(`FetchRunError: ${message}`),
        cause: { name: 'FetchRunError', status: null },
      },
    ]);
  });

  it('confirms the end of a run with missing events by the view', async () => {
    const { deliver, advance, settled } = await startedReceiver({
      mode: 'ordered',
      fetchRun: async () => VIEW,
    });
    await deliver(...run.filter((_event, place) => place !== 1));
    await advance(60_000);
    expect(settled).toMatchObject([{ status: 'completed', provenBy: 'snapshot' }]);
  });

  it.each([
    ['failed', 'fetchRun returned failed, and'],
    ['archived', 'fetchRun returned a status that this release does not know, and'],
  ])('does not settle a run that is %s there', async (status, text) => {
    const fetchRun: FetchRun = async () => ({ ...VIEW, status });
    const { deliver, advance, settled, problems } = await startedReceiver({
      mode: 'ordered',
      fetchRun,
    });
    await deliver(...run.filter((_event, place) => place !== 1));
    await advance(60_000);
    expect(settled).toEqual([]);
    expect(problems).toMatchObject([
      { code: 'run_not_confirmed', message: expect.stringContaining(text) },
    ]);
  });

  it('gets the run id, the event and a signal', async () => {
    const calls: unknown[][] = [];
    const fetchRun: FetchRun = async (...parameters) => {
      calls.push(parameters);
      return VIEW;
    };
    const { deliver } = await startedReceiver({ fetchRun });
    await deliver(...large);
    expect(calls).toMatchObject([
      ['exec_1', { id: large[2]?.id }, { signal: expect.any(AbortSignal) }],
    ]);
  });
});

function withoutOutput(events: readonly RunEvent[]): readonly RunEvent[] {
  return events.map((event, place) => {
    const copy = structuredClone(event);
    if (place === events.length - 1) copy.data.run.outputOmitted = true;
    return copy;
  });
}

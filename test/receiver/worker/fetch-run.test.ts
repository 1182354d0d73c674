import http from 'node:http';
import { text } from 'node:stream/consumers';

import type { FetchRun } from '@hookproof/receiver';
import { FetchRunError } from '@hookproof/receiver/fetch-run';
import { runTimeline } from '@hookproof/receiver/testing';
import type { RunEvent, RunSnapshot } from '@hookproof/spec';
import nock from 'nock';
import type { Interceptor } from 'nock';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { startNock, stopNock } from '../nock-network.ts';
import { startedReceiver } from '../started-receiver.ts';

const API = 'http://api.example.com';
const PATH = '/v1/runs/exec_1';

/** An API client as an app writes it: nock replaces the network below it. */
type ReadRun = (runId: string, signal?: AbortSignal) => Promise<RunSnapshot>;

const withFetch: ReadRun = async (runId, signal) => {
  const response = await fetch(`${API}/v1/runs/${runId}`, {
    headers: { authorization: 'Bearer key_1' },
    ...(signal && { signal }),
  });
  if (response.status !== 200) throw new Error(`GET must return 200, got ${response.status}`);
  return response.json();
};

// The default import: nock replaces `request` on the module object.
const withNodeHttp: ReadRun = (runId, signal) =>
  new Promise((resolve, reject) => {
    const sent = http.request(`${API}/v1/runs/${runId}`, {
      headers: { authorization: 'Bearer key_1' },
      ...(signal && { signal }),
    });
    sent.on('error', reject).on('response', (response) => {
      if (response.statusCode === 200) {
        resolve(text(response).then((body): RunSnapshot => JSON.parse(body)));
      } else {
        reject(new Error(`GET must return 200, got ${response.statusCode}`));
      }
    });
    sent.end();
  });

beforeAll(startNock);
afterEach(() => {
  nock.abortPendingRequests();
  nock.cleanAll();
});
afterAll(stopNock);

const api = (): Interceptor =>
  nock(API, { reqheaders: { authorization: 'Bearer key_1' } }).get(PATH);

/** A run whose last event omits its output. */
const run = runTimeline(['pending', 'running', 'completed']);
const large = omitOutput(run);
const snapshot: RunSnapshot = { ...lastRun(run), output: { total: 3 } };

describe.each([
  ['fetch', withFetch],
  ['node:http', withNodeHttp],
])('fetchRun with a client on %s', (_, readRun) => {
  const started = (fetchRun: FetchRun = (runId) => readRun(runId), retryForHours = 24) =>
    startedReceiver({
      mode: 'ordered',
      fetchRun,
      retryForHours,
      roundTripGraceMilliseconds: 0,
    });

  it('fills in an omitted output, once read', async () => {
    const scope = api().reply(200, snapshot);
    const { deliver, handled, settled, problems } = await started();
    await deliver(...large);
    expect(scope.isDone()).toBe(true);
    expect(handled.at(-1)).toMatchObject({
      isOutputFetched: true,
      attempt: 1,
      event: { data: { run: { status: 'completed', output: { total: 3 } } } },
    });
    expect(settled).toMatchObject([{ status: 'completed', provenBy: 'events-as-known' }]);
    expect(problems).toEqual([]);
  });

  it('retries after 503, and handles the event with the output of the second response', async () => {
    api().reply(503, { errors: [] });
    const { deliver, advance, handled, handledIds, problems } = await started();
    await deliver(...large);
    expect(handledIds()).toEqual([large[0]?.id, large[1]?.id]);
    expect(problems).toMatchObject([
      {
        code: 'handler_failed',
        eventId: large[2]?.id,
        message: expect.stringMatching(
          /^Handling of event \S+ of run exec_1 failed \(attempt 1, next in \d{3} ms\). Error: GET must return 200, got 503$/,
        ),
      },
    ]);
    api().reply(200, snapshot);
    await advance(799);
    expect(handled).toHaveLength(2);
    await advance(201);
    expect(handled.at(-1)).toMatchObject({
      attempt: 2,
      event: { data: { run: { output: { total: 3 } } } },
    });
    expect(problems).toHaveLength(1);
  });

  it('waits at least as long as the error of fetchRun says', async () => {
    const { deliver, advance, handled, problems } = await started(async () => {
      throw new FetchRunError('too many', { retryAfterMilliseconds: 30_000 });
    });
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

  it.each(['ECONNRESET', 'ECONNREFUSED', 'ENOTFOUND'])(
    'retries after %s, and calls each handler once',
    async (code) => {
      api().replyWithError(Object.assign(new Error(`network failure ${code}`), { code }));
      const { deliver, advance, handledIds, settled, problems } = await started();
      await deliver(...large);
      expect(problems).toMatchObject([{ code: 'handler_failed', eventId: large[2]?.id }]);
      expect(settled).toEqual([]);
      api().reply(200, snapshot);
      await advance(1_000);
      expect(handledIds()).toEqual(large.map(({ id }) => id));
      expect(settled).toHaveLength(1);
    },
  );

  it('retries after a timeout of the client', async () => {
    api().delay(60_000).reply(200, snapshot);
    // Referenced until the end: a signal that is collected never aborts.
    let timeout: AbortSignal | undefined;
    const { deliver, advance, handledIds, problems } = await started((runId) => {
      const isFirst = timeout === undefined;
      timeout ??= AbortSignal.timeout(20);
      return readRun(runId, isFirst ? timeout : undefined);
    });
    await deliver(...large);
    expect(problems).toMatchObject([{ code: 'handler_failed', eventId: large[2]?.id }]);
    expect(String(problems[0]?.cause)).toMatch(/timeout|abort/i);
    expect(timeout?.aborted).toBe(true);
    api().reply(200, snapshot);
    await advance(1_000);
    expect(handledIds()).toEqual(large.map(({ id }) => id));
  });

  it('retries after a response that is not JSON', async () => {
    api().reply(200, '<html>', { 'content-type': 'text/html' });
    const { deliver, advance, handledIds, problems } = await started();
    await deliver(...large);
    expect(problems).toMatchObject([
      { code: 'handler_failed', message: expect.stringContaining('SyntaxError: ') },
    ]);
    api().reply(200, snapshot);
    await advance(1_000);
    expect(handledIds()).toEqual(large.map(({ id }) => id));
  });

  it('makes the event a dead letter when its time is over, and settles the run when it is redriven', async () => {
    api().times(2).reply(404, { errors: [] });
    const { receiver, deliver, advance, settled, problems } = await started(
      (runId) => readRun(runId),
      0.0001,
    );
    await deliver(...large);
    await advance(1_000);
    const error = 'Error: GET must return 200, got 404';
    expect(problems.map(({ code }) => code)).toEqual(['handler_failed', 'event_dead_lettered']);
    expect(problems[1]?.message).toBe(
      `Handling of event ${large[2]?.id} of run exec_1 failed for the last time (attempt 2); see deadLetters(). ${error}`,
    );
    expect((await receiver.deadLetters()).items).toMatchObject([{ id: large[2]?.id, error }]);
    expect(settled).toEqual([]);
    api().reply(200, snapshot);
    expect(await receiver.redrive({ ids: [large[2]?.id ?? ''] })).toBe(1);
    await receiver.idle();
    expect(settled).toMatchObject([{ status: 'completed' }]);
    expect((await receiver.deadLetters()).items).toEqual([]);
  });

  it('confirms the end of a run with a missing event after a reset and a retry', async () => {
    const withGap = run.filter((_event, place) => place !== 1);
    api().replyWithError(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
    const { deliver, advance, settled, problems } = await started();
    await deliver(...withGap);
    expect(nock.isDone()).toBe(false);
    await advance(60_000);
    expect(problems).toMatchObject([{ code: 'handler_failed', eventId: run[2]?.id }]);
    api().reply(200, snapshot);
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

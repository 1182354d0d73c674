import { watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Agent, request } from 'undici';
import { expect } from 'vitest';

import { startServerProcess } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';

/** One writer of one review request: the number in its title only grows. */
interface Writer {
  readonly reviewId: string;
  sent: number;
  acknowledged: number;
}

/** A run that was acknowledged, and the text in its input. */
interface StartedRun {
  readonly id: string;
  readonly text: string;
}

function textOf(run: number): string {
  return `${run} `.repeat(2_000);
}

/** What a number of kills left behind. */
export interface KillReport {
  readonly acknowledgedWrites: number;
  readonly acknowledgedRuns: number;
  /** How many kills came while the data file was written. */
  readonly killsInWrites: number;
}

/**
 * Kills a server repeatedly while it writes: after another number of responses each time, and every third time when a
 * write of the data file has begun. After each kill the file is whole. After each restart every acknowledged
 * write must exist, and none that was never sent; every acknowledged run has its event and its input. At the end no
 * event is without its run, and no run without its events.
 *
 * @param firstRound - the number of the first round, on which the moments of the kills depend
 */
export async function killRounds(
  folder: string,
  rounds: number,
  firstRound: number = 0,
): Promise<KillReport> {
  let server = await startServerProcess(folder);
  const { draftReviewId, openReviewId, pausedReviewId } = server.world.fixtures;
  const writers: Writer[] = [draftReviewId, openReviewId, pausedReviewId].map((reviewId) => ({
    reviewId,
    sent: 0,
    acknowledged: 0,
  }));
  const runs: StartedRun[] = [];
  let killsInWrites = 0;
  try {
    await addEndpoint(server);
    await addLargeRuns(server);
    for (let round = firstRound; round < firstRound + rounds; round += 1) {
      const { length } = runs;
      const responses = 1 + ((round * 7) % 23);
      const moment = { responses, writing: round % 3 === 2 ? folder : null };
      await writeUntilKilled(server, writers, runs, moment);
      if (await hasUnfinishedWrite(folder)) killsInWrites += 1;
      const text = await readFile(join(folder, 'data.json'), 'utf8');
      expect(() => JSON.parse(text), `round ${round}: the data file is whole`).not.toThrow();
      server = await startServerProcess(folder);
      for (const run of runs.slice(length)) await expectRun(server, run, round);
      const titles = await readTitles(server);
      for (const writer of writers) {
        const kept = Number(/^write (\d+)$/.exec(titles.get(writer.reviewId) ?? '')?.[1] ?? 0);
        expect(kept, `round ${round}: an acknowledged write is lost`).toBeGreaterThanOrEqual(
          writer.acknowledged,
        );
        expect(kept, `round ${round}: a write that was never sent`).toBeLessThanOrEqual(
          writer.sent,
        );
      }
    }
    await expectConsistent(server, runs);
  } finally {
    await server.kill();
  }
  const acknowledgedWrites = writers.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  return { acknowledgedWrites, acknowledgedRuns: runs.length, killsInWrites };
}

/** Calls `kill` when a write of the data file begins. Returns how to stop waiting for it. */
function atNextWrite(folder: string, kill: () => void): () => void {
  const watcher = watch(folder, (_event, name) => {
    if (name === 'data.json.tmp') kill();
  });
  return () => watcher.close();
}

async function hasUnfinishedWrite(folder: string): Promise<boolean> {
  return (await readdir(folder)).some((name) => name === 'data.json.tmp');
}

async function control({ controlUrl, controlToken }: ServerProcess, path: string, json?: object) {
  const { body, statusCode } = await request(controlUrl + path, {
    method: json === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  return { status: statusCode, body: (await body.json()) as { data: Named[] } };
}

interface Named {
  readonly id: string;
  readonly runId: string;
  readonly type: string;
}

/** Nothing listens there, so the events of all runs stay pending. */
async function addEndpoint(server: ServerProcess): Promise<void> {
  const { status } = await control(server, '/webhook-endpoints', { url: 'http://127.0.0.1:9/' });
  expect(status).toBe(201);
}

/** With them, a write of the data file takes so long that some kills come during one. */
async function addLargeRuns(server: ServerProcess): Promise<void> {
  for (let count = 0; count < 4; count += 1) {
    const { status } = await control(server, '/runs', { input: { text: 'x'.repeat(900_000) } });
    expect(status).toBe(201);
  }
}

async function expectRun(
  server: ServerProcess,
  { id, text }: StartedRun,
  round: number,
): Promise<void> {
  const where = `round ${round}: the acknowledged run ${id}`;
  expect((await control(server, `/runs/${id}`)).status, where).toBe(200);
  const { body } = await control(server, `/events?runId=${id}`);
  expect(body.data[0]?.type, `${where} has its event`).toBe('run.created');
  const { body: view } = await request(`${server.baseUrl}/v1/runs/${id}?expand=input`, {
    headers: { authorization: `Bearer ${server.world.keys.wildcard}` },
  });
  const { input } = (await view.json()) as { input: { args: { text: string } } };
  expect(input.args.text === text, `${where} has its input`).toBe(true);
}

async function expectConsistent(server: ServerProcess, runs: readonly StartedRun[]): Promise<void> {
  const [events, deliveries] = [
    (await control(server, '/events')).body.data,
    (await control(server, '/deliveries')).body.data,
  ];
  const withEvents = new Set(events.map(({ runId }) => runId));
  expect(runs.filter(({ id }) => !withEvents.has(id))).toEqual([]);
  const withDeliveries = new Set(deliveries.map(({ runId }) => runId));
  expect([...withEvents].filter((id) => !withDeliveries.has(id))).toEqual([]);
  for (const id of withEvents) expect((await control(server, `/runs/${id}`)).status, id).toBe(200);
}

/** When a server is killed. */
interface Moment {
  /** The number of responses before it. */
  readonly responses: number;
  /** The data folder, if the kill then waits for the next write of the data file. */
  readonly writing: string | null;
}

async function writeUntilKilled(
  server: ServerProcess,
  writers: readonly Writer[],
  runs: StartedRun[],
  { responses, writing }: Moment,
): Promise<void> {
  const dispatcher = new Agent();
  const killings: Promise<void>[] = [];
  const send = async (
    method: 'PATCH' | 'POST',
    url: string,
    json: object,
  ): Promise<Named | null> => {
    try {
      const response = await request(url, {
        method,
        dispatcher,
        headers: {
          authorization: `Bearer ${server.world.keys.wildcard}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(json),
      });
      const body = (await response.body.json()) as Named;
      expect(response.statusCode).toBeLessThan(300);
      return body;
    } catch (error) {
      if (killings.length === 0) throw error;
      return null;
    }
  };
  const kill = (): void => {
    if (killings.length === 0) killings.push(server.kill());
  };
  let left = responses;
  let stopWaiting: (() => void) | undefined;
  const responded = (): void => {
    left -= 1;
    if (left !== 0) return;
    if (writing === null) kill();
    else stopWaiting = atNextWrite(writing, kill);
  };
  const update = async (writer: Writer): Promise<void> => {
    while (killings.length === 0) {
      writer.sent += 1;
      const number = writer.sent;
      const json = { title: `write ${number}` };
      if ((await send('PATCH', reviewUrl(server, writer.reviewId), json)) === null) return;
      writer.acknowledged = number;
      responded();
    }
  };
  const start = async (): Promise<void> => {
    while (killings.length === 0) {
      const text = textOf(runs.length);
      const json = { target: 'workflows.invoice-matcher', input: { text } };
      const run = await send('POST', `${server.baseUrl}/v1/runs`, json);
      if (run === null) return;
      runs.push({ id: run.id, text });
      responded();
    }
  };
  const starts = Array.from({ length: 2 * writers.length }, start);
  await Promise.all([...writers.map(update), ...starts]);
  stopWaiting?.();
  await Promise.all(killings);
  await dispatcher.destroy();
}

function reviewUrl({ baseUrl, world }: ServerProcess, reviewId: string): string {
  return `${baseUrl}/v1/automations/${world.fixtures.reviewAutomationId}/dataset-review-requests/${reviewId}`;
}

async function readTitles({ baseUrl, world }: ServerProcess): Promise<Map<string, string>> {
  const { statusCode, body } = await request(`${baseUrl}/v1/dataset-review-requests?limit=100`, {
    headers: { authorization: `Bearer ${world.keys.reviewer}` },
  });
  const list = (await body.json()) as { data: { id: string; title: string }[] };
  expect(statusCode).toBe(200);
  return new Map(list.data.map(({ id, title }) => [id, title]));
}

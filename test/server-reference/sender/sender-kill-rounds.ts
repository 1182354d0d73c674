import type { RunCreatedEvent } from '@hookproof/spec';
import { expect } from 'vitest';

import { controlClient } from '../control/control-client.ts';
import { startServerProcess } from '../server-process.ts';
import type { ServerProcess } from '../server-process.ts';
import { listenAt } from './endpoint-listener.ts';

/**
 * Kills a server again and again while four callers create runs and an endpoint holds its answers back.
 * Every run that was answered with 201 must be there after the restart and its event must arrive; what
 * arrives more than once has the same bytes; and no event may tell of a run that is not there.
 *
 * @returns how many runs were acknowledged, and how many events arrived more than once
 */
export async function senderKillRounds(
  folder: string,
  rounds: number,
): Promise<{ acknowledged: number; repeated: number }> {
  let killed = false;
  const listener = await listenAt((response, number) => {
    // Every third answer is held back until the server is gone, so that attempts are cut off.
    if (killed || number % 3 !== 0) response.writeHead(204).end();
  });
  let server = await startServerProcess(folder);
  await controlClient(server).endpoint(listener.url);
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [runsBefore, arrivalsBefore] = [acknowledged.length, listener.arrivals.length];
    killed = false;
    await createUntilKilled(server, acknowledged, 3 + ((round * 5) % 17));
    killed = true;
    server = await startServerProcess(folder);
    const control = controlClient(server);
    for (const runId of acknowledged.slice(runsBefore)) {
      expect(await control.expectOk(200, `/runs/${runId}`)).toMatchObject({ id: runId });
      const { id } = await control.onlyDelivery(`?runId=${runId}`);
      await control.expectOk(200, '/wait', { for: 'delivery', id, status: 'delivered' });
    }
    for (const { data } of events(listener.arrivals.slice(arrivalsBefore))) {
      await control.expectOk(200, `/runs/${data.run.id}`);
    }
  }
  await server.kill();

  const bodiesById = new Map<string, Set<string>>();
  for (const { headers, body } of listener.arrivals) {
    const id = String(headers['webhook-id']);
    bodiesById.set(id, (bodiesById.get(id) ?? new Set()).add(body.toString('utf8')));
  }
  for (const bodies of bodiesById.values()) expect(bodies.size).toBe(1);
  const told = new Set(events(listener.arrivals).map(({ data }) => data.run.id));
  expect(acknowledged.filter((runId) => !told.has(runId))).toEqual([]);
  return {
    acknowledged: acknowledged.length,
    repeated: listener.arrivals.length - bodiesById.size,
  };
}

async function createUntilKilled(
  server: ServerProcess,
  acknowledged: string[],
  answersBeforeKill: number,
): Promise<void> {
  const control = controlClient(server);
  let answers = 0;
  const killings: Promise<void>[] = [];
  const create = async (): Promise<void> => {
    while (killings.length === 0) {
      const answer = await control.call('/runs', { json: {} }).catch((error: unknown) => {
        if (killings.length === 0) throw error;
      });
      if (answer === undefined) return;
      expect(answer.status).toBe(201);
      acknowledged.push((answer.body as { id: string }).id);
      answers += 1;
      if (answers === answersBeforeKill) killings.push(server.kill());
    }
  };
  await Promise.all([create(), create(), create(), create()]);
  await Promise.all(killings);
}

function events(arrivals: readonly { readonly body: Buffer }[]): RunCreatedEvent[] {
  return arrivals.map(({ body }): RunCreatedEvent => JSON.parse(body.toString('utf8')));
}

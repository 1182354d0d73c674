import type { RunSnapshot, RunStatus } from '@hookproof/spec';
import { expect } from 'vitest';

import { seededRandom } from '../../../server-reference/src/store/seed.ts';
import type { KeyedRandom } from '../../../server-reference/src/store/seed.ts';
import { controlClient } from '../lab/control/control-client.ts';
import { startServerProcess } from '../server-process.ts';
import type { ServerProcess } from '../server-process.ts';
import { ENDPOINT_KINDS, keepKillLog } from './kill-log.ts';
import type { EndpointKind, KillLog } from './kill-log.ts';
import { RUN_PATH, proveNothingLost } from './kill-proof.ts';
import type { KillCount, Life } from './kill-proof.ts';

const CALLERS = 4;

/**
 * Kills a server repeatedly while four callers create and move runs, and five endpoints respond
 * at once, late, with errors, with resets, and half of the time never. Then everything can end, and
 * the log is compared with the store.
 *
 * @param rounds - few enough that the 5,000 settled deliveries which the server keeps are all of them
 * @param seed - determines the moments of the kills
 */
export async function senderKillRounds(
  folder: string,
  rounds: number,
  seed: number,
): Promise<KillCount> {
  const random = seededRandom(seed);
  const log = await keepKillLog(random);
  const lives: Life[] = [];
  const endpointIds = new Map<string, EndpointKind>();
  const start = async (): Promise<ServerProcess> => {
    log.life = lives.push({ from: Date.now(), to: Infinity }) - 1;
    return startServerProcess(folder);
  };
  let server = await start();
  for (const kind of ENDPOINT_KINDS) {
    const { id } = await controlClient(server).endpoint(`${log.url}/${kind}`);
    endpointIds.set(id, kind);
  }
  for (let round = 0; round < rounds; round += 1) {
    await workUntilKilled(server, log, (key) => random(`${round} ${key}`));
    const life = lives.at(-1);
    if (life !== undefined) life.to = Date.now();
    await log.readToTheEnd();
    log.calm = round === rounds - 1;
    server = await start();
  }
  const control = controlClient(server);
  try {
    for (const { id, status } of await control.deliveries()) {
      if (status === 'pending') {
        await control.expectOk(200, '/wait', { for: 'delivery', id, timeoutMilliseconds: 30_000 });
      }
    }
    return await proveNothingLost(log, lives, control, endpointIds);
  } finally {
    await server.kill();
  }
}

/** The kill follows some acknowledged writes, some arrival, or some delay. */
async function workUntilKilled(
  server: ServerProcess,
  log: KillLog,
  random: KeyedRandom,
): Promise<void> {
  const control = controlClient(server);
  const killings: Promise<void>[] = [];
  const kill = (): void => void (killings.length === 0 && killings.push(server.kill()));
  let [writesLeft, arrivalsLeft] = [Infinity, Infinity];
  const kind = random('kind');
  if (kind < 1 / 3) writesLeft = 1 + Math.floor(random('moment') * 40);
  else if (kind < 2 / 3) arrivalsLeft = 1 + Math.floor(random('moment') * 400);
  else setTimeout(kill, random('moment') * 400);
  log.onArrival = () => {
    arrivalsLeft -= 1;
    if (arrivalsLeft === 0) kill();
  };

  async function write(path: string, json: object, status: RunStatus): Promise<string | undefined> {
    const askedAt = log.tick();
    const response = await control.call(path, { json }).catch((error: unknown) => {
      if (killings.length === 0) throw error;
    });
    if (response === undefined) return undefined;
    expect(response.status, JSON.stringify(response.body)).toBeLessThan(300);
    const { id: runId } = response.body as RunSnapshot;
    log.acknowledged.push({ runId, status, life: log.life, askedAt, respondedAt: log.tick() });
    writesLeft -= 1;
    if (writesLeft === 0) kill();
    return runId;
  }

  async function call(): Promise<void> {
    while (killings.length === 0) {
      const [created, ...moves] = RUN_PATH;
      const runId = await write('/runs', {}, created ?? 'pending');
      for (const status of moves) {
        if (runId === undefined || killings.length > 0) break;
        await write(`/runs/${runId}/moves`, { status }, status);
      }
    }
  }

  await Promise.all(Array.from({ length: CALLERS }, call));
  await Promise.all(killings);
}

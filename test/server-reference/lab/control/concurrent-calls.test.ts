import type { RunStatus } from '@hookproof/spec';
import { describe, expect, test } from 'vitest';

import { RUN_TRANSITIONS } from '../../../../server-reference/src/events/run-transitions.ts';
import { seededRandom } from '../../../../server-reference/src/store/seed.ts';
import { listenAt, statuses } from '../../events/endpoint-listener.ts';
import { impatientClock, startControlled } from './control-client.ts';

const MOVES: readonly RunStatus[] = ['running', 'waiting'];

interface Move {
  readonly from: string;
  readonly to: string;
}

function moveOf(body: Buffer): Move[] {
  const { data } = JSON.parse(body.toString('utf8'));
  return data.previousStatus === undefined
    ? []
    : [{ from: data.previousStatus, to: data.currentStatus }];
}

test('concurrent moves of one run are each made once or refused', async () => {
  const control = await startControlled();
  const random = seededRandom(1);
  const listener = await listenAt();
  await control.endpoint(listener.url);
  const { id } = await control.run();
  const responses = await Promise.all(
    Array.from({ length: 60 }, (_, number) => {
      const status = MOVES[Math.floor(random(`${number}`) * MOVES.length)];
      return control.call(`/runs/${id}/moves`, { json: { status } });
    }),
  );
  await control.call(`/runs/${id}/moves`, { json: { status: 'cancelled' } });
  await control.idle();
  const codes = responses.map(({ status }) => status);
  expect(codes.filter((code) => code !== 200 && code !== 409)).toEqual([]);
  const accepted = codes.filter((code) => code === 200).length;
  expect(accepted).toBeGreaterThan(2);

  // The path that the events report, each event used once, from the first status to the last.
  const moves = listener.arrivals.flatMap(({ body }) => moveOf(body));
  expect(moves.length).toBe(accepted + 1);
  for (const { from, to } of moves) {
    expect(RUN_TRANSITIONS[from as RunStatus]).toContain(to);
  }
  const ends = new Map<string, number>();
  for (const { from, to } of moves) {
    ends.set(from, (ends.get(from) ?? 0) - 1);
    ends.set(to, (ends.get(to) ?? 0) + 1);
  }
  expect(new Map([...ends].filter(([, balance]) => balance !== 0))).toEqual(
    new Map([
      ['pending', -1],
      ['cancelled', 1],
    ]),
  );
});

test('concurrent advances of the clock add up, with timers in order', async () => {
  const control = await startControlled({ retryProfile: 'real' });
  const listener = await listenAt(statuses(503));
  await control.endpoint(listener.url);
  await control.run();
  await Promise.all(Array.from({ length: 10 }, () => control.advance(600_000)));
  expect(await control.expectOk(200, '/clock')).toMatchObject({ now: '2026-07-01T01:40:00.000Z' });
  const { attempts } = await control.onlyDelivery();
  const starts = attempts.map(({ startedAt }) => startedAt);
  expect(starts.length).toBeGreaterThan(5);
  expect(starts).toEqual(starts.toSorted());
});

describe('a wait for a resource that is deleted meanwhile', () => {
  test('for a settled delivery sees it ended with its endpoint', async () => {
    const control = await startControlled();
    const listener = await listenAt(statuses(503));
    const { id: endpointId } = await control.endpoint(listener.url);
    await control.run();
    await control.idle();
    const { id } = await control.onlyDelivery();
    const waiting = control.expectOk(200, '/wait', { for: 'delivery', id });
    await control.call(`/webhook-endpoints/${endpointId}`, { method: 'DELETE' });
    expect(await waiting).toMatchObject({ status: 'ended', endReason: 'endpoint_deleted' });
    const vain = await control.expectError(408, '/wait', {
      json: { for: 'delivery', id, status: 'delivered', timeoutMilliseconds: 0 },
    });
    expect(vain.issues[0]?.message).toContain('the delivery is ended after 1 attempts');
  });

  test('for idle ends when the last endpoint with a due delivery is deleted', async () => {
    const control = await startControlled({ clock: impatientClock() });
    const listener = await listenAt(() => {});
    const { id } = await control.endpoint(listener.url);
    for (let run = 0; run < 20; run += 1) await control.run();
    await listener.arrived(16);
    await control.call(`/webhook-endpoints/${id}`, { method: 'DELETE' });
    await control.advance(10_000);
    expect(await control.expectOk(200, '/wait', { for: 'idle' })).toEqual({ idle: true });
    expect(listener.arrivals).toHaveLength(16);
  });
});

import type { RunStatus } from '@hookproof/spec';
import { expect } from 'vitest';

import type { Delivery } from '../../../server-reference/src/lab/control/deliveries.ts';
import type { ControlClient } from '../lab/control/control-client.ts';
import { ENDPOINT_KINDS, eventOf } from './kill-log.ts';
import type { EndpointKind, KillLog, LoggedArrival } from './kill-log.ts';

/** The transitions of every run in these tests. */
export const RUN_PATH: readonly RunStatus[] = ['pending', 'running', 'finalizing', 'completed'];

/** When each process ran, in milliseconds of the machine's clock, in the order of their starts. */
export interface Life {
  readonly from: number;
  to: number;
}

/** What the log contained, in numbers. */
export interface KillCount {
  readonly acknowledged: number;
  readonly events: number;
  readonly arrivals: number;
  /** Arrivals that were repeated because their response was cut off, and how many of those had a response. */
  readonly cutOff: number;
  readonly respondedButCutOff: number;
  /** Arrivals that were repeated because the response required it. */
  readonly retried: number;
}

/** Compares the log of endpoints and callers with the store of the last process. */
export async function proveNothingLost(
  log: KillLog,
  lives: readonly Life[],
  control: ControlClient,
  endpointIds: ReadonlyMap<string, EndpointKind>,
): Promise<KillCount> {
  await proveRuns(log, control);
  const deliveries = await control.deliveries();
  const byTarget = new Map<string, LoggedArrival[]>();
  for (const arrival of log.arrivals) {
    const target = `${arrival.endpoint} ${arrival.eventId}`;
    byTarget.set(target, [...(byTarget.get(target) ?? []), arrival]);
  }
  const cut: LoggedArrival[] = [];
  for (const delivery of deliveries) {
    const target = `${endpointIds.get(delivery.endpointId)} ${delivery.eventId}`;
    cut.push(...proveDelivery(log, lives, delivery, byTarget.get(target) ?? []));
    byTarget.delete(target);
  }
  expect([...byTarget.keys()], 'arrived without a delivery').toEqual([]);
  const rows = deliveries.reduce((sum, { attempts }) => sum + attempts.length, 0);
  return {
    acknowledged: log.acknowledged.length,
    events: new Set(log.arrivals.map(({ eventId }) => eventId)).size,
    arrivals: log.arrivals.length,
    cutOff: cut.length,
    respondedButCutOff: cut.filter(({ respondedAt }) => respondedAt !== undefined).length,
    retried: rows - deliveries.length,
  };
}

/**
 * Every acknowledged write exists; the events of a run have exactly its transitions up to its current
 * status, each once, at every endpoint and with the same bytes; and there are no other events.
 */
async function proveRuns(log: KillLog, control: ControlClient): Promise<void> {
  const bodies = new Map<string, Set<string>>();
  const receivers = new Map<string, Set<string>>();
  for (const arrival of log.arrivals) {
    const { id, data } = eventOf(arrival);
    expect(id).toBe(arrival.eventId);
    bodies.set(id, (bodies.get(id) ?? new Set()).add(arrival.body));
    const step = `${data.run.id} ${data.run.status} ${arrival.endpoint}`;
    receivers.set(step, (receivers.get(step) ?? new Set()).add(id));
  }
  for (const [id, variants] of bodies) expect(variants.size, `bytes of ${id}`).toBe(1);
  for (const [step, ids] of receivers) expect([...ids], step).toHaveLength(1);

  const runIds = new Set([...receivers.keys()].map((step) => step.split(' ')[0] ?? ''));
  for (const { runId } of log.acknowledged) runIds.add(runId);
  const expected = new Set<string>();
  for (const runId of runIds) {
    const { status } = await control.expectOk<{ status: RunStatus }>(200, `/runs/${runId}`);
    const way = RUN_PATH.slice(0, RUN_PATH.indexOf(status) + 1);
    for (const step of way) {
      for (const endpoint of ENDPOINT_KINDS) expected.add(`${runId} ${step} ${endpoint}`);
    }
  }
  expect(new Set(receivers.keys())).toEqual(expected);
  for (const { runId, status } of log.acknowledged) {
    expect(expected, 'an acknowledged write is lost').toContain(`${runId} ${status} quick`);
  }
}

/**
 * Each row is an arrival with the same response, in the same order. An arrival without a row is the last
 * that a killed process sent of this delivery, and its response was cut off: never sent, or sent so late
 * that the row may have missed the last flush. Nothing arrives after the row that accepted it.
 *
 * @returns the arrivals without a row
 */
function proveDelivery(
  log: KillLog,
  lives: readonly Life[],
  { id, status, attempts }: Delivery,
  arrivals: readonly LoggedArrival[],
): LoggedArrival[] {
  expect(status, id).toBe('delivered');
  const cut: LoggedArrival[] = [];
  for (const [life, { from, to }] of lives.entries()) {
    const rows = attempts.filter(({ startedAt }) => {
      const time = Date.parse(startedAt);
      return time >= from && time <= to;
    });
    const sent = arrivals.filter((arrival) => arrival.life === life);
    expect(
      rows.map((row) => row.status ?? row.error),
      `${id} in life ${life}`,
    ).toEqual(rows.map((row, index) => asRecorded(row, sent[index])));
    const unrecorded = sent.slice(rows.length);
    const most = life === lives.length - 1 ? 0 : 1;
    expect(unrecorded.length, `${id} repeated within life ${life}`).toBeLessThanOrEqual(most);
    for (const arrival of unrecorded) {
      const { respondedAt } = arrival;
      const recorded = respondedAt !== undefined && mustBeRecorded(log, life, respondedAt);
      expect(recorded, `${id}: a recorded attempt was repeated`).toBe(false);
    }
    cut.push(...unrecorded);
  }
  expect(attempts.map((row) => row.status).indexOf(204), id).toBe(attempts.length - 1);
  expect(arrivals.at(-1)?.outcome, id).toBe(204);
  expect(arrivals.length - cut.length, id).toBe(attempts.length);
  return cut;
}

/**
 * A response is certainly in the store once two writes, one after the other, were requested after it had
 * been sent, and acknowledged: when the first is acknowledged the process has read it, and a flush that
 * begins after that, such as the one of the second write, contains its row.
 */
function mustBeRecorded(log: KillLog, life: number, respondedAt: number): boolean {
  const after = log.acknowledged.filter((one) => one.life === life && one.askedAt > respondedAt);
  const firstEnd = Math.min(...after.map((one) => one.respondedAt));
  return after.some(({ askedAt }) => askedAt > firstEnd);
}

/** A row of a timeout is right whatever the endpoint did: on a busy machine its response can come too late. */
function asRecorded(
  { error }: Delivery['attempts'][number],
  arrival: LoggedArrival | undefined,
): number | string | undefined {
  if (error === 'timeout' && arrival !== undefined) return error;
  return arrival?.outcome === 'reset' ? 'ECONNRESET' : arrival?.outcome;
}

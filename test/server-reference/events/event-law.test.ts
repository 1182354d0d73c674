import { RUN_STATUSES } from '@hookproof/spec';
import type { RunSnapshot, RunStatus } from '@hookproof/spec';
import type { Event } from '@hookproof/spec/control';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  isTerminal,
  RUN_TRANSITIONS,
} from '../../../server-reference/src/events/run-transitions.ts';
import { call } from '../contract-client.ts';
import { startControlled } from '../lab/control/control-client.ts';
import { listenAt } from './endpoint-listener.ts';

type Controlled = Awaited<ReturnType<typeof startControlled>>;

interface TestedEvent {
  readonly type: string;
  readonly test: boolean;
  readonly data: { previousStatus?: RunStatus; currentStatus?: RunStatus; run: RunSnapshot };
}

/** How a run is created and then changed, and the times between the changes. */
const aLife = fc.record({
  birth: fc.oneof(
    fc.record({
      over: fc.constant('api' as const),
      outcome: fc.constantFrom('completed', 'failed', 'waiting', 'rejected'),
      target: fc.constantFrom('workflows.delivery-note-reader', 'workflows.invoice-matcher'),
    }),
    fc.record({
      over: fc.constant('control' as const),
      origin: fc.constantFrom('top-level', 'top-level', 'invoke-workflow', 'evaluation'),
      status: fc.constantFrom(...RUN_STATUSES),
      choices: fc.array(fc.nat({ max: 3 }), { maxLength: 6 }),
    }),
  ),
  acts: fc.array(
    fc.oneof(
      fc.record({ act: fc.constant('advance' as const), by: fc.nat({ max: 900 }) }),
      fc.record({ act: fc.constant('move' as const), to: fc.constantFrom(...RUN_STATUSES) }),
      fc.record({ act: fc.constant('cancel' as const) }),
    ),
    { maxLength: 6 },
  ),
});
type Life = typeof aLife extends fc.Arbitrary<infer T> ? T : never;

/** Scheduled transitions that the graph allows, from these choices. */
function transitionsFrom(status: RunStatus, choices: readonly number[]): object[] {
  const scheduledTransitions: { status: RunStatus; afterMilliseconds: number }[] = [];
  let from = status;
  for (const choice of choices) {
    const targets = RUN_TRANSITIONS[from];
    const to = targets[choice % Math.max(1, targets.length)];
    if (to === undefined) break;
    scheduledTransitions.push({ status: to, afterMilliseconds: choice * 100 });
    from = to;
  }
  return scheduledTransitions;
}

async function begin(control: Controlled, { birth }: Life): Promise<RunSnapshot> {
  if (birth.over === 'control') {
    const { origin, status, choices } = birth;
    return control.run({ origin, status, scheduledTransitions: transitionsFrom(status, choices) });
  }
  const { baseUrl, world } = control.server;
  const json = { target: birth.target, input: { $outcome: birth.outcome } };
  const key = world.keys.wildcard;
  const { status, body } = await call(baseUrl, { method: 'POST', path: '/v1/runs', key, json });
  expect(status).toBe(201);
  return body;
}

/** The statuses that calls from outside have moved it to. */
async function live(control: Controlled, { acts }: Life, id: string): Promise<RunStatus[]> {
  const { baseUrl, world } = control.server;
  const moved: RunStatus[] = [];
  for (const act of acts) {
    if (act.act === 'advance') await control.advance(act.by);
    else if (act.act === 'move') {
      const json = { status: act.to };
      const { status } = await control.call(`/runs/${id}/moves`, { json });
      expect([200, 409]).toContain(status);
      if (status === 200) moved.push(act.to);
    } else {
      const path = `/v1/runs/${id}/cancel`;
      const { body } = await call(baseUrl, { method: 'POST', path, key: world.keys.wildcard });
      if (body.cancellation.state === 'cancelled') moved.push('cancelled');
    }
  }
  return moved;
}

function expectChain(events: readonly TestedEvent[], first: RunStatus, last: RunStatus): void {
  const [created, ...changes] = events;
  expect(created).toMatchObject({ type: 'run.created', data: { run: { status: first } } });
  expect(created?.data).not.toHaveProperty('previousStatus');
  expect(created?.data).not.toHaveProperty('currentStatus');
  let status = first;
  for (const { type, data } of changes) {
    expect(type).toBe('run.status_changed');
    expect([data.previousStatus, data.currentStatus]).toEqual([status, data.run.status]);
    expect(RUN_TRANSITIONS[status]).toContain(data.run.status);
    status = data.run.status;
  }
  expect(status).toBe(last);
}

test('the events of any run are its creation and each of its moves, once', async () => {
  const control = await startControlled();
  const listener = await listenAt();
  await control.endpoint(listener.url);
  await fc.assert(
    fc.asyncProperty(aLife, async (life) => {
      const { id, status: first } = await begin(control, life);
      const moved = await live(control, life, id);
      await control.advance(60_000);
      const run = await control.expectOk<RunSnapshot>(200, `/runs/${id}`);
      expect(run.completedAt !== null).toBe(isTerminal(run.status));

      const { data } = await control.expectOk<{ data: Event[] }>(200, `/events?runId=${id}`);
      if (life.birth.over === 'control' && life.birth.origin !== 'top-level') {
        expect([data, await control.deliveries(`?runId=${id}`)]).toEqual([[], []]);
        return;
      }
      const events = data.map(({ payload }): TestedEvent => JSON.parse(payload));
      expectChain(events, first, run.status);
      for (const event of events) {
        const { run: snapshot } = event.data;
        expect(event.test).toBe(false);
        expect(snapshot.id).toBe(id);
        expect(snapshot.completedAt !== null).toBe(isTerminal(snapshot.status));
      }
      const statuses = events.map((event) => event.data.run.status);
      expect(statuses.filter((one) => moved.includes(one)).length).toBeGreaterThanOrEqual(
        moved.length,
      );
      const arrived = listener.arrivals
        .map(({ headers, body }) => `${String(headers['webhook-id'])} ${body.toString('utf8')}`)
        .filter((text) => text.includes(`"id":"${id}"`));
      expect(arrived.toSorted()).toEqual(
        data.map((event) => `${event.id} ${event.payload}`).toSorted(),
      );
    }),
    { numRuns: 40 },
  );
});

import { virtualClock } from '@hookproof/server-reference';
import { expect, onTestFinished, test } from 'vitest';

import { DeliveryFaultPlan } from '../../../../server-reference/src/lab/delivery-faults/delivery-fault-plan.ts';
import type { DeliveryFaultOrder } from '../../../../server-reference/src/lab/delivery-faults/delivery-fault.ts';
import { noUsage } from '../../../../server-reference/src/events/run-change.ts';
import { emitTestEvent } from '../../../../server-reference/src/events/event.ts';
import { RETRY_PROFILES } from '../../../../server-reference/src/events/retry.ts';
import { FaultyDeliveries } from '../../../../server-reference/src/lab/delivery-faults/interceptor.ts';
import type { FaultyOrder } from '../../../../server-reference/src/lab/delivery-faults/interceptor.ts';
import { seededRandom } from '../../../../server-reference/src/store/seed.ts';
import { Sender } from '../../../../server-reference/src/events/sender.ts';
import type { DeliveryRecord } from '../../../../server-reference/src/store/deliveries.ts';
import type {
  RunId,
  WebhookEndpointId,
  WorldId,
} from '../../../../server-reference/src/store/ids.ts';
import type { DeepReadonly } from '../../../../server-reference/src/store/read-only.ts';
import { createMemoryStore } from '../../../../server-reference/src/store/open-storage.ts';
import type { RunRecord } from '../../../../server-reference/src/store/runs.ts';
import { emptyState } from '../../../../server-reference/src/store/state.ts';
import type { State } from '../../../../server-reference/src/store/state.ts';
import type { Store } from '../../../../server-reference/src/store/store.ts';
import { START } from '../control/control-client.ts';
import { listenAt } from '../../events/endpoint-listener.ts';
import { recordingLogger } from '../../store/recording-logger.ts';
import { signed } from './signed.ts';
import { asId } from '../../state-by-text.ts';

const SECRET = 'whsec_1';

const RUN: RunRecord = {
  id: asId('exec_1'),
  worldId: asId('w'),
  tenantId: asId('tenant_1'),
  automationId: asId('wf_1'),
  type: 'workflow',
  status: 'running',
  triggerType: 'api',
  createdAt: new Date(START).toISOString(),
  startedAt: new Date(START).toISOString(),
  completedAt: null,
  origin: 'top-level',
  outputFiles: [],
  usage: noUsage(),
  scheduledTransitions: [],
  history: [],
};

/** A sender with one endpoint, one delivery and one delivery fault. */
async function send(order: DeliveryFaultOrder): Promise<{
  readonly observed: readonly FaultyOrder[];
  /** The numbers of their rows. */
  readonly numbers: readonly (number | null)[];
  readonly delivery: DeepReadonly<DeliveryRecord>;
  readonly arrivedWhenObserved: readonly number[];
  readonly store: Store;
  readonly sender: Sender;
  readonly forget: () => Promise<void>;
  readonly advance: (milliseconds: number) => Promise<void>;
}> {
  const listener = await listenAt();
  const clock = virtualClock({ now: START });
  const store = createMemoryStore(emptyState(1, 'hpc_1'));
  const deliveryFaults = new DeliveryFaultPlan(() => {});
  deliveryFaults.inject(order, START);
  const observed: FaultyOrder[] = [];
  const numbers: (number | null)[] = [];
  const arrivedWhenObserved: number[] = [];
  const logger = recordingLogger();
  const deliveries = new FaultyDeliveries({
    plan: deliveryFaults,
    store,
    clock,
    logger,
    observe(faulty, next) {
      arrivedWhenObserved.push(listener.arrivals.length);
      observed.push(faulty);
      faulty.onRecorded((number) => numbers.push(number));
      return next(faulty);
    },
  });
  const sender = new Sender({
    store,
    clock,
    random: seededRandom(1),
    profile: RETRY_PROFILES.fast,
    ownPorts: new Set(),
    interceptor: deliveries.intercept,
    logger,
  });
  deliveries.attach(sender);
  onTestFinished(() => deliveries.close());
  onTestFinished(() => sender.close());
  sender.start();
  const createdAt = new Date(START).toISOString();
  const endpoint = {
    id: asId<WebhookEndpointId>('whep_1'),
    worldId: asId<WorldId>('w'),
    url: listener.url,
    headers: {},
    secret: SECRET,
  };
  const delivery = await store.commit((state) => {
    state.webhookEndpoints.add({ ...endpoint, enabled: true, createdAt });
    state.runs.add(RUN);
    return deliveryOfRun(state);
  });
  sender.enqueue([delivery]);
  expect(sender.isIdle()).toBe(false);
  await clock.advance(0);
  return {
    observed,
    numbers,
    delivery,
    arrivedWhenObserved,
    store,
    sender,
    forget: () => store.commit((state) => state.deliveries.delete(delivery.id)),
    advance: (milliseconds) => clock.advance(milliseconds),
  };
}

function deliveryOfRun(state: State): DeliveryRecord {
  const endpoint = state.webhookEndpoints.get('whep_1') ?? expect.unreachable();
  return Object.assign(emitTestEvent(state, START, endpoint), { runId: asId<RunId>('exec_1') });
}

test.each([
  'wrong-secret',
  'tampered-body',
  'stale-timestamp',
  'future-timestamp',
  'truncated-body',
  'drop-then-redeliver',
] as const)('under %s the observer gets the original request before it is sent', async (name) => {
  const { observed, numbers, delivery, arrivedWhenObserved } = await send({ name });
  const [posted = expect.unreachable()] = observed;
  const { url: _url, ...request } = posted.original;
  expect(signed(request, SECRET)).toEqual({ second: 0, fits: true });
  expect(posted).toMatchObject({
    deliveryId: delivery.id,
    eventId: delivery.eventId,
    endpointId: 'whep_1',
    startedAt: START,
    deliveryFault: name,
  });
  expect(arrivedWhenObserved).toEqual([0]);
  expect(numbers).toEqual([1]);
});

test('the observer gets each copy with the number of its row', async () => {
  const { observed, numbers, delivery } = await send({ name: 'duplicate', copies: 2 });
  expect(observed.map(({ deliveryFault }) => deliveryFault)).toEqual([
    'duplicate',
    'duplicate',
    'duplicate',
  ]);
  expect(numbers).toEqual([1, 2, 3]);
  expect(delivery.attempts).toHaveLength(3);
});

test('the observer gets a held request when it is sent', async () => {
  const { observed, advance } = await send({ name: 'delay' });
  expect(observed).toEqual([]);
  await advance(5_000);
  expect(observed).toMatchObject([{ deliveryFault: 'delay', startedAt: START + 5_000 }]);
});

test('a removed delivery has no more copies', async () => {
  const { observed, forget, advance } = await send({ name: 'duplicate', apartMilliseconds: 1_000 });
  await forget();
  await advance(1_000);
  expect(observed).toHaveLength(1);
});

test('a reorder for a run waits for the last event, even one that is not enqueued yet', async () => {
  const { observed, delivery, store, sender, advance } = await send({
    name: 'reorder',
    runId: 'exec_1',
  });
  const last = await store.commit((state) => {
    state.runs.edit(asId('exec_1')).status = 'completed';
    return deliveryOfRun(state);
  });
  sender.enqueue([]);
  await advance(0);
  expect(observed).toEqual([]);
  sender.enqueue([last]);
  await advance(0);
  expect(observed.map(({ deliveryId }) => deliveryId)).toEqual([last.id, delivery.id]);
});

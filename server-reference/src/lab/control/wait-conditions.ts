import type {
  DeliveriesWait,
  DeliveryFaultWait,
  DeliveryWait,
  RunWait,
  Wait,
} from '@hookproof/spec/control';

import { isPending } from '../../events/delivery.ts';
import { runSnapshot } from '../../events/run-snapshot.ts';
import { isTerminal } from '../../events/run-transitions.ts';
import { notFound } from '../../errors.ts';
import type { ReadonlyState } from '../../store/state.ts';
import { deliveryView } from './deliveries.ts';
import { findKnown } from './find.ts';
import type { LabServices } from './services.ts';

/** The current state of a condition. */
export interface Awaited {
  readonly reached: boolean;
  readonly body: () => object;
  /** Describes the current state for the timeout message. */
  readonly progress: string;
  /** While true, the condition cannot hold. Cheaper than a full check. */
  readonly isBlocked?: () => boolean;
}

/** Returns a function that checks whether a condition holds. It throws a 404 for an unknown id. */
export function watch(services: LabServices, condition: Wait): () => boolean {
  let last: Awaited | undefined;
  return () => {
    if (last?.isBlocked?.() === true) return false;
    last = lookAt(services, condition);
    return last.reached;
  };
}

/** Checks a condition once. Throws a 404 for an unknown id. */
export function lookAt(services: LabServices, condition: Wait): Awaited {
  const { store } = services;
  switch (condition.for) {
    case 'delivery':
      return lookAtDelivery(store.state, condition);
    case 'deliveries':
      return lookAtDeliveries(store.state, condition);
    case 'run':
      return lookAtRun(store.state, condition);
    case 'deliveryFault': {
      const fault = services.deliveryFaults.find(condition.id);
      return lookAtHits(
        fault && services.deliveryFaults.view(fault, services.clock.now()),
        condition,
      );
    }
    case 'idle':
      return lookAtIdleness(services);
    default:
      return condition satisfies never;
  }
}

/** Without `status` and `attempts`, the condition is that the delivery is no longer pending. */
function lookAtDelivery(state: ReadonlyState, { id, status, attempts }: DeliveryWait): Awaited {
  const delivery = findKnown(state.deliveries, id, 'id', 'delivery');
  const isSettled = status === undefined && attempts === undefined && delivery.status !== 'pending';
  const hasReached =
    (status !== undefined || attempts !== undefined) &&
    (status === undefined || delivery.status === status) &&
    delivery.attempts.length >= (attempts ?? 0);
  return {
    body: () => deliveryView(delivery),
    reached: isSettled || hasReached,
    progress: `the delivery is ${delivery.status} after ${delivery.attempts.length} attempts`,
  };
}

function lookAtDeliveries(
  state: ReadonlyState,
  { runId, endpointId, count = 1 }: DeliveriesWait,
): Awaited {
  const found = [...state.deliveries.values()]
    .filter((delivery) => runId === undefined || delivery.runId === runId)
    .filter((delivery) => endpointId === undefined || delivery.endpointId === endpointId);
  const pending = found.filter(isPending);
  // The middle one is settled late both in ascending and in descending order.
  const middle = pending[Math.floor(pending.length / 2)];
  return {
    body: () => ({ data: found.map(deliveryView) }),
    reached: found.length >= count && pending.length === 0,
    progress: `${found.length} of ${count} deliveries exist, ${pending.length} of them are pending`,
    isBlocked: () => middle !== undefined && isPending(middle),
  };
}

/** Without `status`, the condition is that the run is terminal. */
function lookAtRun(state: ReadonlyState, { id, status }: RunWait): Awaited {
  const run = findKnown(state.runs, id, 'id', 'run');
  return {
    body: () => runSnapshot(run),
    reached: status === undefined ? isTerminal(run.status) : run.status === status,
    progress: `the run is ${run.status}`,
  };
}

function lookAtHits(
  fault: { readonly hits: number } | undefined,
  { hits }: DeliveryFaultWait,
): Awaited {
  if (fault === undefined) throw notFound('id', 'no delivery fault has this id');
  return {
    reached: fault.hits >= hits,
    body: () => fault,
    progress: `the delivery fault has hit ${fault.hits} of ${hits} times`,
  };
}

function lookAtIdleness({ sender }: LabServices): Awaited {
  const progress = 'deliveries are due or in progress';
  return {
    reached: sender.isIdle(),
    body: () => ({ idle: true }),
    progress,
  };
}

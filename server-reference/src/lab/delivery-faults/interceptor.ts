import type { Clock } from '../../platform/clock/clock.ts';
import { posted } from '../../platform/sender/post.ts';
import { unsent } from '../../platform/sender/attempt-result.ts';
import type { Attempt, AttemptOrder } from '../../platform/sender/attempt.ts';
import type {
  BeginAttempt,
  CreateInterceptor,
  SenderControl,
} from '../../platform/sender/interceptor.ts';
import { isTerminal } from '../../platform/state/run-transitions.ts';
import type { Store } from '../../platform/store/store.ts';
import { alterRequest } from './alter-request.ts';
import type { DeliveryFaultPlan, InjectedDeliveryFault } from './delivery-fault-plan.ts';
import { HeldDeliveries } from './held-deliveries.ts';

/** The error of an attempt that a fault dropped before it was sent. */
export const DROPPED = 'dropped';
/** The trigger of an extra attempt of `duplicate`. */
export const DUPLICATE = 'duplicate';

export interface DeliveryFaultOptions {
  readonly plan: DeliveryFaultPlan;
  readonly store: Store;
  readonly clock: Clock;
}

type DuplicateFault = Extract<InjectedDeliveryFault, { name: 'duplicate' }>;

/** Applies the injected delivery faults to the attempts of a sender. */
export function interceptDeliveries({
  plan,
  store,
  clock,
}: DeliveryFaultOptions): CreateInterceptor {
  return (control) => {
    const held = new HeldDeliveries({
      clock,
      postpone: (delivery, until) => control.postpone(delivery, until),
      isComplete: (fault) => hasGatheredAll(fault, store, plan, control),
    });
    control.subscribe(() => held.update());
    control.onClose(() => held.close());

    return function applyDeliveryFault(order, next) {
      const { delivery } = order;
      const released = held.release(delivery);
      if (released === 'held') return null;
      const fault = released ?? plan.apply(delivery, clock.now());
      if (released === null && fault !== null && held.hold(delivery, fault)) return null;
      const attempt = next({
        ...(fault === null ? order : faulty(order, fault)),
        onOver: () => held.attempted(delivery),
      });
      if (fault?.name === 'duplicate') duplicate(attempt, fault, { clock, control, next });
      return attempt;
    };
  };
}

function faulty(order: AttemptOrder, fault: InjectedDeliveryFault): AttemptOrder {
  return {
    ...order,
    fault: fault.name,
    alter: (request, secret) => alterRequest(request, secret, fault),
    ...(fault.name === 'drop-then-redeliver' ? { post: drop } : {}),
  };
}

function drop(): ReturnType<typeof posted> {
  return posted(unsent(DROPPED, 'a delivery fault dropped the request before it was sent'));
}

interface DuplicateOptions {
  readonly clock: Clock;
  readonly control: SenderControl;
  readonly next: BeginAttempt;
}

/** Sends the same event again. The attempts are recorded in the order in which they were sent. */
function duplicate(
  original: Attempt,
  { copies, apartMilliseconds, ...fault }: DuplicateFault,
  { clock, control, next }: DuplicateOptions,
): void {
  const { delivery, event, endpoint } = original.order;
  let last = original;
  for (let number = 1; number <= copies; number += 1) {
    control.beginLater(delivery, clock.steady() + number * apartMilliseconds, () => {
      last = next({
        delivery,
        event,
        endpoint,
        manualRequest: undefined,
        fault: fault.name,
        extra: { trigger: DUPLICATE, after: last },
      });
    });
  }
}

/** A `reorder` for a run collects until the run is terminal and its last event is due. */
function hasGatheredAll(
  { id, runId }: InjectedDeliveryFault,
  { state }: Store,
  plan: DeliveryFaultPlan,
  control: SenderControl,
): boolean {
  if (runId === undefined) return false;
  const run = state.runs.get(runId);
  if (run !== undefined && !isTerminal(run.status)) return false;
  return ![...state.deliveries.values()].some(
    (delivery) => plan.wouldHit(id, delivery) && control.isDue(delivery),
  );
}

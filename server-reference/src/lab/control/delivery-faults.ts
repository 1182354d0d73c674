import { ROOT, notFound, refusal } from '../../errors.ts';
import { deliveryFaultView, MAX_DELIVERY_FAULTS } from '../delivery-faults/delivery-fault-plan.ts';
import type {
  DeliveryFaultPlan,
  InjectedDeliveryFault,
} from '../delivery-faults/delivery-fault-plan.ts';
import { isExhausted } from '../delivery-faults/delivery-fault.ts';
import type { DeliveryFaultOrder } from '../delivery-faults/delivery-fault.ts';
import { findKnown } from './find.ts';
import type { ControlRoute } from './operation.ts';
import { pageBy } from './page.ts';
import type { LabServices } from './services.ts';

/** Routes for delivery faults: failures injected into outgoing webhooks. */
export function deliveryFaultRoutes(services: LabServices): ControlRoute[] {
  const { deliveryFaults } = services;
  return [
    injectRoute(services),
    {
      operationId: 'listDeliveryFaults',
      async handle({ page }) {
        const body = pageBy(injectionOf, deliveryFaults.list(), page, deliveryFaultView);
        return { status: 200, body };
      },
    },
    {
      operationId: 'removeDeliveryFaults',
      async handle() {
        deliveryFaults.clear();
        return { status: 204 };
      },
    },
    {
      operationId: 'removeDeliveryFault',
      async handle({ path }) {
        if (deliveryFaults.remove(path['id'] ?? '')) return { status: 204 };
        throw notFound('id', 'no delivery fault has this id');
      },
    },
  ];
}

function injectionOf({ id, injectedAt }: InjectedDeliveryFault) {
  return { id, createdAt: injectedAt };
}

function injectRoute(services: LabServices): ControlRoute<DeliveryFaultOrder> {
  const { store, deliveryFaults } = services;
  return {
    operationId: 'injectDeliveryFault',
    async handle({ body }) {
      const { endpointId, runId, eventId } = body;
      if (runId !== undefined) findKnown(store.state.runs, runId, 'runId', 'run');
      if (eventId !== undefined) findKnown(store.state.events, eventId, 'eventId', 'event');
      if (endpointId !== undefined) {
        findKnown(store.state.webhookEndpoints, endpointId, 'endpointId', 'webhook endpoint');
      }
      refuseTooMany(deliveryFaults, 1);
      return { status: 201, body: deliveryFaultView(injectUntilExpiry(services, body)) };
    },
  };
}

/** Injects a fault, which is removed at its expiry. */
export function injectUntilExpiry(
  { deliveryFaults, changes, expiries, clock }: LabServices,
  order: DeliveryFaultOrder,
): InjectedDeliveryFault {
  const fault = deliveryFaults.inject(order, clock.now());
  expiries.after(order.expiresInMilliseconds, () => deliveryFaults.remove(fault.id));
  changes.announce();
  return fault;
}

/** @throws {ApiError} 409 if this number of faults cannot be added */
export function refuseTooMany(deliveryFaults: DeliveryFaultPlan, more: number): void {
  if (deliveryFaults.hasRoomFor(more)) return;
  const armed = deliveryFaults.list().filter((one) => !isExhausted(one)).length;
  const message = `at most ${MAX_DELIVERY_FAULTS} delivery faults can be armed, got ${armed + more}`;
  throw refusal('too_many_delivery_faults', ROOT, message, {
    hint: 'Remove one fault with DELETE /_control/delivery-faults/{id}, or all with DELETE /_control/delivery-faults.',
  });
}

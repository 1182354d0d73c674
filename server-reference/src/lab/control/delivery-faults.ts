import { ApiError, issue, notFound, ROOT } from '../../platform/http/api-error.ts';
import type { LabServices } from './services.ts';
import { MAX_DELIVERY_FAULTS } from '../delivery-faults/delivery-fault-plan.ts';
import type { DeliveryFaultPlan } from '../delivery-faults/delivery-fault-plan.ts';
import { isExhausted } from '../delivery-faults/delivery-fault.ts';
import type { DeliveryFaultOrder } from '../delivery-faults/delivery-fault.ts';
import { findKnown } from './find.ts';
import type { ControlRoute } from './operation.ts';

/** Delivery faults: failures that are injected into outgoing webhooks. */
export function deliveryFaultRoutes(services: LabServices): ControlRoute[] {
  const { deliveryFaults } = services;
  return [
    plantRoute(services),
    {
      operationId: 'listPathologies',
      handle: async () => ({ status: 200, body: { data: deliveryFaults.list() } }),
    },
    {
      operationId: 'removePathologies',
      async handle() {
        deliveryFaults.clear();
        return { status: 204 };
      },
    },
    {
      operationId: 'removePathology',
      async handle({ path }) {
        if (deliveryFaults.remove(path['id'] ?? '')) return { status: 204 };
        throw notFound('id', 'no pathology has this id');
      },
    },
  ];
}

function plantRoute({
  store,
  deliveryFaults,
  clock,
}: LabServices): ControlRoute<DeliveryFaultOrder> {
  return {
    operationId: 'plantPathology',
    async handle({ body }) {
      const { endpointId, runId } = body;
      if (runId !== undefined) findKnown(store.state.runs, runId, 'runId', 'run');
      if (endpointId !== undefined) {
        findKnown(store.state.webhookEndpoints, endpointId, 'endpointId', 'webhook endpoint');
      }
      refuseTooMany(deliveryFaults, 1);
      return { status: 201, body: deliveryFaults.inject(body, clock.now()) };
    },
  };
}

/** @throws {ApiError} 409 when so many more cannot be planted */
export function refuseTooMany(deliveryFaults: DeliveryFaultPlan, more: number): void {
  if (deliveryFaults.hasRoomFor(more)) return;
  const armed = deliveryFaults.list().filter((one) => !isExhausted(one)).length;
  const message = `there may be ${MAX_DELIVERY_FAULTS} pathologies, and ${armed} lie in wait already`;
  throw new ApiError(409, [issue('too_many_pathologies', ROOT, message)], {
    hint: 'Remove what is not needed any more: DELETE /_control/pathologies/{id}, or all: DELETE /_control/pathologies.',
  });
}

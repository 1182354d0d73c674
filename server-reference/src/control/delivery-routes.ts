import { requestRedelivery } from '../sender/settle-attempt.ts';
import { find } from '../store/find.ts';
import type { ControlRoute } from './control-route.ts';
import type { Services } from '../app/handler.ts';
import { deliveryView } from './delivery-view.ts';
import { refuseInactive } from './endpoint-routes.ts';
import { findKnown } from './find-known.ts';

/** Deliveries with every attempt, and manual redelivery. */
export function deliveryRoutes(services: Services): ControlRoute[] {
  return [listRoute(services), readRoute(services), redeliverRoute(services)];
}

function listRoute({ store }: Services): ControlRoute {
  return {
    operationId: 'listDeliveries',
    async handle({ query: { endpointId, eventId, runId } }) {
      const data = Object.values(store.state.deliveries)
        .filter((delivery) => endpointId === undefined || delivery.endpointId === endpointId)
        .filter((delivery) => eventId === undefined || delivery.eventId === eventId)
        .filter((delivery) => runId === undefined || delivery.runId === runId)
        .map(deliveryView);
      return { status: 200, body: { data } };
    },
  };
}

function readRoute({ store }: Services): ControlRoute {
  return {
    operationId: 'getDelivery',
    async handle({ path }) {
      const delivery = findKnown(store.state.deliveries, path['id'] ?? '', 'id', 'delivery');
      return { status: 200, body: deliveryView(delivery) };
    },
  };
}

function redeliverRoute({ store, clock, sender }: Services): ControlRoute<object> {
  return {
    operationId: 'redeliver',
    async handle({ path }) {
      const { delivery, view } = await store.commit((state) => {
        const found = findKnown(state.deliveries, path['id'] ?? '', 'id', 'delivery');
        refuseInactive(find(state.webhookEndpoints, found.endpointId));
        requestRedelivery(found, clock.now());
        return { delivery: found, view: deliveryView(found) };
      });
      sender.enqueue([delivery]);
      return { status: 202, body: view };
    },
  };
}

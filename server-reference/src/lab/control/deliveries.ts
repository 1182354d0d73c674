import { notFound } from '../../errors.ts';
import { deliveryRow } from '../activity/delivery-row.ts';
import { attemptDetail } from '../attempts/attempt-detail.ts';
import type { LabServices } from './services.ts';
import { requestRedelivery } from '../../events/delivery.ts';
import type { DeliveryRecord } from '../../store/deliveries.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { refuseInactive } from './endpoints.ts';
import { findKnown } from './find.ts';
import type { ControlRoute } from './operation.ts';
import { pageOf } from './page.ts';

/** A delivery as the control interface shows it. */
export type Delivery = DeepReadonly<Omit<DeliveryRecord, 'manualRequests' | 'redeliveries'>>;

/** Returns a delivery without internal fields. */
export function deliveryView({
  manualRequests: _requests,
  redeliveries: _count,
  ...delivery
}: DeepReadonly<DeliveryRecord>): Delivery {
  return delivery;
}

/** Routes for deliveries and manual redelivery. */
export function deliveryRoutes(services: LabServices): ControlRoute[] {
  return [
    listDeliveriesRoute(services),
    listDeliveryRowsRoute(services),
    readDeliveryRoute(services),
    readAttemptRoute(services),
    redeliverRoute(services),
  ];
}

function listDeliveriesRoute({ store }: LabServices): ControlRoute {
  return {
    operationId: 'listDeliveries',
    async handle({ query, page }) {
      const found = findDeliveries(store, query);
      const body = pageOf(found, page, deliveryView);
      return { status: 200, body };
    },
  };
}

function listDeliveryRowsRoute({ store }: LabServices): ControlRoute {
  return {
    operationId: 'listDeliveryRows',
    async handle({ query, page }) {
      const { state } = store;
      const worldOf = ({ eventId, endpointId }: DeepReadonly<DeliveryRecord>): string | undefined =>
        state.events.get(eventId)?.worldId ?? state.webhookEndpoints.get(endpointId)?.worldId;
      const { status, ...others } = query;
      const counted = findDeliveries(store, others).filter(
        (delivery) => query['worldId'] === undefined || worldOf(delivery) === query['worldId'],
      );
      const found = counted.filter((one) => status === undefined || one.status === status);
      const counts = { pending: 0, delivered: 0, ended: 0 };
      for (const one of counted) counts[one.status] += 1;
      const rows = pageOf(found, page, (delivery) => deliveryRow(state, delivery));
      return { status: 200, body: { ...rows, counts } };
    },
  };
}

function findDeliveries(
  { state }: LabServices['store'],
  { endpointId, eventId, runId, status }: Readonly<Record<string, string>>,
): DeepReadonly<DeliveryRecord>[] {
  return [...state.deliveries.values()]
    .filter((delivery) => endpointId === undefined || delivery.endpointId === endpointId)
    .filter((delivery) => eventId === undefined || delivery.eventId === eventId)
    .filter((delivery) => runId === undefined || delivery.runId === runId)
    .filter((delivery) => status === undefined || delivery.status === status);
}

function readDeliveryRoute({ store }: LabServices): ControlRoute {
  return {
    operationId: 'getDelivery',
    async handle({ path }) {
      const delivery = findKnown(store.state.deliveries, path['id'] ?? '', 'id', 'delivery');
      return { status: 200, body: deliveryView(delivery) };
    },
  };
}

function readAttemptRoute({ store, sentRequests }: LabServices): ControlRoute {
  return {
    operationId: 'getAttempt',
    async handle({ path: { id = '', number = '' } }) {
      const delivery = findKnown(store.state.deliveries, id, 'id', 'delivery');
      const attempt = delivery.attempts.find((one) => String(one.number) === number);
      if (attempt === undefined) throw notFound('number', 'no attempt has this number');
      const sent = sentRequests.find(delivery.id, attempt.number);
      const secret = store.state.webhookEndpoints.get(delivery.endpointId)?.secret;
      return {
        status: 200,
        body: attemptDetail(delivery, attempt, sent, secret),
      };
    },
  };
}

function redeliverRoute({ store, clock, sender }: LabServices): ControlRoute<object> {
  return {
    operationId: 'redeliver',
    async handle({ path }) {
      const { delivery, view } = await store.commit((state) => {
        const found = findKnown(state.deliveries, path['id'] ?? '', 'id', 'delivery');
        refuseInactive(state.webhookEndpoints.get(found.endpointId));
        requestRedelivery(state.deliveries.edit(found.id), clock.now());
        return { delivery: found, view: deliveryView(found) };
      });
      sender.enqueue([delivery]);
      return { status: 202, body: view };
    },
  };
}

import { REQUIREMENTS } from '../../operations.ts';
import { ROOT, invalidValue, notFound, refusal } from '../../errors.ts';
import type { ApiFaultEffect, ApiFaultMatch, ApiFaultOrder } from '../api-faults/api-fault.ts';
import type { DeliveryFaultOrder } from '../delivery-faults/delivery-fault.ts';
import type { InjectedDeliveryFault } from '../delivery-faults/delivery-fault-plan.ts';
import { MAX_FAULTS } from '../fault-plan.ts';
import type { FaultPlan } from '../fault-plan.ts';
import { findKnown } from './find.ts';
import type { ControlRoute } from './operation.ts';
import type { LabServices } from './services.ts';

/** Routes for the two kinds of faults: failures of incoming requests and of outgoing webhooks. */
export function faultRoutes(services: LabServices): ControlRoute[] {
  const { apiFaults, deliveryFaults } = services;
  return [
    injectApiFaultRoute(services),
    injectDeliveryFaultRoute(services),
    ...planRoutes(services, apiFaults, 'API fault'),
    ...planRoutes(services, deliveryFaults, 'delivery fault'),
    {
      operationId: 'removeFaults',
      async handle() {
        apiFaults.clear();
        deliveryFaults.clear();
        return { status: 204 };
      },
    },
  ];
}

/** The ends of the names of their operations. */
const OPERATIONS = { 'API fault': 'ApiFault', 'delivery fault': 'DeliveryFault' } as const;

function planRoutes<Order extends object, Hit extends object>(
  { clock }: LabServices,
  plan: FaultPlan<Order, Hit>,
  kind: keyof typeof OPERATIONS,
): ControlRoute[] {
  const name = OPERATIONS[kind];
  return [
    {
      operationId: `list${name}s`,
      async handle() {
        const data = plan.list().map((fault) => plan.view(fault, clock.now()));
        return { status: 200, body: { data } };
      },
    },
    {
      operationId: `remove${name}`,
      async handle({ path }) {
        if (plan.remove(path['id'] ?? '')) return { status: 204 };
        throw notFound('id', `no ${kind} has this id`);
      },
    },
  ];
}

function injectApiFaultRoute(services: LabServices): ControlRoute<ApiFaultOrder> {
  const { apiFaults, expiries, clock } = services;
  return {
    operationId: 'injectApiFault',
    async handle({ body }) {
      refuseUnknownOperation(body.match);
      refuseUnclear(body.effect);
      refuseTooMany(services, 'API fault', 1);
      const fault = apiFaults.inject(body, clock.now());
      expiries.after(body.expiresInMilliseconds, () => apiFaults.remove(fault.id));
      return { status: 201, body: apiFaults.view(fault, clock.now()) };
    },
  };
}

function injectDeliveryFaultRoute(services: LabServices): ControlRoute<DeliveryFaultOrder> {
  const { store, deliveryFaults, clock } = services;
  return {
    operationId: 'injectDeliveryFault',
    async handle({ body }) {
      const { endpointId, runId, eventId } = body;
      if (runId !== undefined) findKnown(store.state.runs, runId, 'runId', 'run');
      if (eventId !== undefined) findKnown(store.state.events, eventId, 'eventId', 'event');
      if (endpointId !== undefined) {
        findKnown(store.state.webhookEndpoints, endpointId, 'endpointId', 'webhook endpoint');
      }
      refuseTooMany(services, 'delivery fault', 1);
      const fault = injectDeliveryFault(services, body);
      return { status: 201, body: deliveryFaults.view(fault, clock.now()) };
    },
  };
}

/** Injects a delivery fault, which is removed at its expiry. Call {@link refuseTooMany} first. */
export function injectDeliveryFault(
  { deliveryFaults, expiries, clock }: LabServices,
  order: DeliveryFaultOrder,
): InjectedDeliveryFault {
  const fault = deliveryFaults.inject(order, clock.now());
  expiries.after(order.expiresInMilliseconds, () => deliveryFaults.remove(fault.id));
  return fault;
}

/** @throws {ApiError} 409 if this number of faults cannot be added */
export function refuseTooMany(
  { apiFaults, deliveryFaults, clock }: LabServices,
  kind: keyof typeof OPERATIONS,
  more: number,
): void {
  const isApi = kind === 'API fault';
  const room = (isApi ? apiFaults : deliveryFaults).room(clock.now());
  if (more <= room) return;
  const message = `at most ${MAX_FAULTS} ${kind}s can be armed, got ${MAX_FAULTS - room + more}`;
  const path = `/_control/${isApi ? 'api' : 'delivery'}-faults`;
  throw refusal(isApi ? 'too_many_api_faults' : 'too_many_delivery_faults', ROOT, message, {
    hint: `Remove one fault with DELETE ${path}/{id}, or all with DELETE /_control/faults.`,
  });
}

function refuseUnknownOperation({ operationId }: ApiFaultMatch): void {
  if (operationId === undefined || Object.hasOwn(REQUIREMENTS, operationId)) return;
  const known = Object.keys(REQUIREMENTS).join(', ');
  throw invalidValue('match.operationId', `must be one of ${known}`);
}

function refuseUnclear({
  latencyMilliseconds,
  retryAfter: _besideStatus,
  ...ends
}: ApiFaultEffect): void {
  const named = Object.keys(ends);
  if (named.length > 1) {
    throw invalidValue(
      'effect',
      `must have only one of status, reset and truncateBody, got ${named.join(', ')}`,
    );
  }
  if (named.length === 0 && latencyMilliseconds === undefined) {
    const message = 'must have latencyMilliseconds, or one of status, reset and truncateBody';
    throw invalidValue('effect', message);
  }
}

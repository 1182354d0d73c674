import type { ControlRoute } from './control-route.ts';
import type { Services } from '../app/handler.ts';
import { findKnown } from './find-known.ts';

/** Events, each with the exact text that every attempt sends. */
export function eventRoutes(services: Services): ControlRoute[] {
  return [listRoute(services), readRoute(services)];
}

function listRoute({ store }: Services): ControlRoute {
  return {
    operationId: 'listEvents',
    async handle({ query: { runId, type } }) {
      const data = Object.values(store.state.events)
        .filter((event) => runId === undefined || event.runId === runId)
        .filter((event) => type === undefined || event.type === type);
      return { status: 200, body: { data } };
    },
  };
}

function readRoute({ store }: Services): ControlRoute {
  return {
    operationId: 'getEvent',
    async handle({ path }) {
      const event = findKnown(store.state.events, path['id'] ?? '', 'id', 'event');
      return { status: 200, body: event };
    },
  };
}

import { ROOT, notFound, refusal } from '../../errors.ts';
import type { ApiError } from '../../errors.ts';
import { MAX_STREAMS } from '../activity/event-stream.ts';
import type { ControlRoute } from './operation.ts';
import { pageOf } from './page.ts';
import type { LabServices } from './services.ts';

/** Routes to see what happens: the requests of the API, and the stream of all changes. */
export function activityRoutes(services: LabServices): ControlRoute[] {
  return [listRequestsRoute(services), readRequestRoute(services), streamRoute(services)];
}

function listRequestsRoute({ requests }: LabServices): ControlRoute {
  return {
    operationId: 'listRequests',
    async handle({ query: { worldId, keyId, refusedAt }, page }) {
      const found = requests
        .list()
        .filter((request) => worldId === undefined || request.worldId === worldId)
        .filter((request) => keyId === undefined || request.keyId === keyId)
        .filter((request) => refusedAt === undefined || request.refusedAt === refusedAt);
      return { status: 200, body: pageOf(found, page, (request) => request) };
    },
  };
}

function readRequestRoute({ requests }: LabServices): ControlRoute {
  return {
    operationId: 'getRequest',
    async handle({ path: { id = '' } }) {
      const body = requests.find(id);
      if (body === undefined) throw notFound('id', 'no kept request has this id');
      return { status: 200, body };
    },
  };
}

function streamRoute({ streams }: LabServices): ControlRoute {
  return {
    operationId: 'streamActivity',
    async handle({ lastEventId }) {
      const events = streams.open(lastEventId);
      if (events === null) throw tooMany();
      return { status: 200, events };
    },
  };
}

function tooMany(): ApiError {
  const message = `at most ${MAX_STREAMS} streams can be open, got one more`;
  return refusal('too_many_streams', ROOT, message, {
    hint: 'Close a stream first.',
  });
}

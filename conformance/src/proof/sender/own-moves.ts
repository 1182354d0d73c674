import type { Between } from '../../http/between.ts';
import { isRecord } from '../../http/message.ts';
import type { Incoming, Outgoing } from '../../http/message.ts';
import { jsonOf, refuse, withJson } from '../kit/message.ts';
import type { Variant } from '../kit/defect.ts';

const TRANSITIONS = 'states.run.transitions';
const CREATED = 'states.run.agent-starts-created';

/** Runs that begin elsewhere, and moves that a deployment makes or refuses by itself. */
export const ownMoveVariants: readonly Variant[] = [
  creating(
    'starts-created',
    'Every run begins in created and enters the queue by itself.',
    CREATED,
    async (request, next) => {
      const response = await next(withFields(request, { status: 'created' }));
      await moved(request, response, 'pending', next);
      return response;
    },
  ),
  creating(
    'starts-created-reports-pending',
    'Every run begins in created; its creation is reported when it is in the queue.',
    CREATED,
    async (request, next) => {
      const response = await next(withFields(request, { status: 'created' }));
      return withStatus(response, (await moved(request, response, 'pending', next)) ?? {});
    },
  ),
  creating(
    'agents-enter-queue',
    'A run of an agent enters the queue by itself.',
    CREATED,
    async (request, next) => {
      const response = await next(request);
      await moved(request, response, 'pending', next);
      return response;
    },
  ),
  creating(
    'agents-start-pending',
    'A run of an agent begins in pending.',
    CREATED,
    (request, next) => next(withFields(request, { status: 'pending' })),
  ),
  creating(
    'starts-created-stays',
    'Every run begins in created and stays there.',
    'states.run.workflow-starts-pending',
    (request, next) => next(withFields(request, { status: 'created' })),
  ),
  ...['waiting', 'finalizing'].map((status) =>
    refusing(
      `without-${status}`,
      `No run is ever ${status}.`,
      TRANSITIONS,
      (wanted) => wanted === status,
    ),
  ),
  refusing(
    'without-rejection',
    'No run can be rejected.',
    TRANSITIONS,
    (wanted) => wanted === 'rejected',
  ),
];

function creating(id: string, does: string, takes: string, create: Between): Variant {
  const control: Between = (request, next) => {
    const isCreation = request.method === 'POST' && new URL(request.url).pathname.endsWith('/runs');
    return isCreation ? create(request, next) : next(request);
  };
  return { id, side: 'sender', does, takes, open: () => ({ control }) };
}

function refusing(
  id: string,
  does: string,
  takes: string,
  isRefused: (status: unknown) => boolean,
): Variant {
  const control: Between = async (request, next) => {
    const body = jsonOf(request);
    const isMove = request.url.endsWith('/moves') && isRecord(body) && isRefused(body['status']);
    return isMove ? refuse(409, 'invalid_transition') : next(request);
  };
  return { id, side: 'sender', does, takes, open: () => ({ control }) };
}

function withFields(request: Outgoing, fields: object): Outgoing {
  return withJson(request, { ...Object(jsonOf(request)), ...fields });
}

function withStatus(response: Incoming, fields: object): Incoming {
  return withJson(response, { ...Object(jsonOf(response)), ...fields });
}

/** Moves the run of a response as its deployment would, and returns the run. */
async function moved(
  request: Outgoing,
  response: Incoming,
  status: string,
  next: Parameters<Between>[1],
): Promise<object | undefined> {
  const { id } = Object(jsonOf(response));
  const body = Buffer.from(JSON.stringify({ status }));
  const change = await next({ ...request, url: `${request.url}/${id}/moves`, body });
  const run = jsonOf(change);
  return change.status < 300 && isRecord(run) ? run : undefined;
}

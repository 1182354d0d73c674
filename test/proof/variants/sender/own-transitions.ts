import { isRecord } from '@hookproof/conformance/hooks';
import type { Between, Incoming, Next, Outgoing } from '@hookproof/conformance/hooks';
import { variant } from '@hookproof/conformance/proof/kit/defect';
import type { Open, Variant } from '@hookproof/conformance/proof/kit/defect';
import { jsonOf, refuse, withJson } from '@hookproof/conformance/proof/kit/message';
import { onControl } from '@hookproof/conformance/proof/kit/sender';

const TRANSITIONS = 'states.run.transitions';
const CREATED = 'states.run.agent-starts-created';

/** Runs that begin elsewhere, and transitions that a deployment makes or refuses by itself. */
export const ownTransitionVariants: readonly Variant[] = [
  variant({
    id: 'starts-created',
    takes: CREATED,
    does: 'Every run begins in created and becomes pending by itself.',
    sender: onCreation(async (request, next) => {
      const response = await next(withFields(request, { status: 'created' }));
      await changed(request, response, 'pending', next);
      return response;
    }),
  }),
  variant({
    id: 'starts-created-reports-pending',
    takes: CREATED,
    does: 'Every run begins in created; its creation is reported when it is pending.',
    sender: onCreation(async (request, next) => {
      const response = await next(withFields(request, { status: 'created' }));
      const run = await changed(request, response, 'pending', next);
      return withJson(response, { ...Object(jsonOf(response)), ...run });
    }),
  }),
  variant({
    id: 'agents-enter-queue',
    takes: CREATED,
    does: 'An agent run becomes pending by itself.',
    sender: onCreation(async (request, next) => {
      const response = await next(request);
      await changed(request, response, 'pending', next);
      return response;
    }),
  }),
  variant({
    id: 'agents-start-pending',
    takes: CREATED,
    does: 'An agent run begins in pending.',
    sender: onCreation((request, next) => next(withFields(request, { status: 'pending' }))),
  }),
  variant({
    id: 'starts-created-stays',
    takes: 'states.run.workflow-starts-pending',
    does: 'Every run begins in created and stays there.',
    sender: onCreation((request, next) => next(withFields(request, { status: 'created' }))),
  }),
  ...['waiting', 'finalizing'].map((status) =>
    variant({
      id: `without-${status}`,
      takes: TRANSITIONS,
      does: `No run is ever ${status}.`,
      sender: refusing(status),
    }),
  ),
  variant({
    id: 'without-rejection',
    takes: TRANSITIONS,
    does: 'No run can be rejected.',
    sender: refusing('rejected'),
  }),
];

function onCreation(create: Between): Open {
  return onControl((request, next) => {
    const isCreation = request.method === 'POST' && new URL(request.url).pathname.endsWith('/runs');
    return isCreation ? create(request, next) : next(request);
  });
}

function refusing(status: string): Open {
  return onControl(async (request, next) => {
    const body = jsonOf(request);
    const isChange = request.url.endsWith('/moves') && isRecord(body) && body['status'] === status;
    return isChange ? refuse(409, 'invalid_transition') : next(request);
  });
}

function withFields(request: Outgoing, fields: object): Outgoing {
  return withJson(request, { ...Object(jsonOf(request)), ...fields });
}

/** Changes the run of a response as its deployment would, and returns the run. */
async function changed(
  request: Outgoing,
  response: Incoming,
  status: string,
  next: Next,
): Promise<object | undefined> {
  const { id } = Object(jsonOf(response));
  const body = Buffer.from(JSON.stringify({ status }));
  const change = await next({ ...request, url: `${request.url}/${id}/moves`, body });
  const run = jsonOf(change);
  return change.status < 300 && isRecord(run) ? run : undefined;
}

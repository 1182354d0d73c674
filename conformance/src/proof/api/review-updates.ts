import { isRecord } from '../../http/message.ts';
import type { Incoming, Outgoing } from '../../http/message.ts';
import { refuse, respond, withJson } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import {
  always,
  asking,
  defect,
  during,
  editing,
  fieldsOf,
  isFields,
  isSuccess,
  recordsIn,
  segment,
} from './exchange.ts';
import type { Call } from './exchange.ts';

const UPDATE = 'updateDatasetReviewRequest';
const INBOX = 'listDatasetReviewRequests';
const FIELDS = {
  title: 'title',
  instructions: 'instructions',
  focusFields: 'focus-fields',
  ignoredFields: 'ignored-fields',
} as const;

/** What an update does to a review request, and what its response says. */
export const reviewUpdateDefects: readonly Defect[] = [
  ...Object.entries(FIELDS).flatMap(([name, word]) => [
    defect(
      `update-keeps-${word}`,
      `review-update.body.${word}`,
      `An update does not change ${name}.`,
      asking(UPDATE, (request) => without(request, name)),
    ),
    defect(
      `update-only-echoes-${word}`,
      `review-update.body.${word}`,
      `An update of ${name} shows in its response only.`,
      during(UPDATE, async ({ request, next }) => {
        const wanted = fieldsOf(request)[name];
        const response = await next(without(request, name));
        return isSuccess(response)
          ? withJson(response, { ...fieldsOf(response), [name]: wanted })
          : response;
      }),
    ),
    defect(
      `update-echoes-old-${word}`,
      `review-update.body.${word}`,
      `The response to an update has the previous ${name}.`,
      during(UPDATE, async ({ request, next }) => {
        const old = await next(without(without(request, name), 'status'));
        const response = await next(request);
        return isSuccess(response)
          ? withJson(response, { ...fieldsOf(response), [name]: fieldsOf(old)[name] })
          : response;
      }),
    ),
  ]),
  defect(
    'focus-fields-appended',
    'review-update.body.focus-fields',
    'An update adds its focus fields to the present ones.',
    editing(UPDATE, (detail, { request }) => {
      const sent = fieldsOf(request)['focusFields'];
      detail['focusFields'] = [...recordsIn(sent), ...recordsIn(sent)];
    }),
  ),
  defect(
    'focus-reasons-lost',
    'review-update.body.focus-fields',
    'An update loses the reasons of its focus fields.',
    asking(UPDATE, (request) => {
      const body = fieldsOf(request);
      const fields = recordsIn(body['focusFields']).map(({ path }) => ({ path }));
      return isRight(request) ? withJson(request, { ...body, focusFields: fields }) : request;
    }),
  ),
  defect(
    'closing-ignored',
    'review-update.close',
    'An update with status closed leaves the status.',
    asking(UPDATE, (request) =>
      fieldsOf(request)['status'] === 'closed' ? without(request, 'status') : request,
    ),
  ),
  defect(
    'closing-says-open',
    'review-update.close',
    'The response to closing has the status open.',
    editing(UPDATE, (detail) => {
      if (detail['status'] === 'closed') detail['status'] = 'open';
    }),
  ),
  ...(['draft', 'open', 'paused'] as const).flatMap((status) => [
    defect(
      `${status}-refuses-updates`,
      `review-update.editable.${status}`,
      `A request in status ${status} refuses updates.`,
      during(UPDATE, (call) =>
        fieldsOf(call.request)['status'] === status && isRight(call.request)
          ? refuse(409)
          : call.next(call.request),
      ),
    ),
    defect(
      `${status}-never-closes`,
      'states.review.close',
      `A request in status ${status} cannot be closed.`,
      during(UPDATE, async (call) => {
        const closing = fieldsOf(call.request)['status'] === 'closed';
        const now = closing ? await statusNow(call) : null;
        return now === status ? refuse(409) : call.next(call.request);
      }),
    ),
  ]),
  defect(
    'closed-accepts-updates',
    'review-update.closed.refused',
    'An update of a closed request gets 200, and changes nothing.',
    during(UPDATE, async (call) => {
      const response = await call.next(call.request);
      return response.status === 409 ? respond(200, fieldsOf(call.request)) : response;
    }),
  ),
  defect(
    'closed-refused-and-changed',
    'review-update.closed.unchanged',
    'A refused update of a closed request changes its title.',
    changedAfterRefusal((response) => response.status === 409),
  ),
  defect(
    'invalid-update-refused-and-made',
    'review-update.body.types',
    'An update with a field of the wrong type is refused, and its title is taken.',
    changedAfterRefusal((response) => response.status === 400),
  ),
  defect(
    'detail-of-another-request',
    'review-update.response.detail',
    'The response to an update has another id.',
    editing(UPDATE, (detail) => (detail['id'] = `${String(detail['id'])}0`)),
  ),
  defect(
    'detail-of-another-automation',
    'review-update.response.detail',
    'The response to an update has another automationId.',
    editing(UPDATE, (detail) => (detail['automationId'] = 'wf_0')),
  ),
  defect(
    'removed-in-detail-form',
    'review-update.progress.rejected-name',
    'The response to an update names the counter removed.',
    editing(UPDATE, ({ progress }) => {
      if (!isFields(progress)) return;
      progress['removed'] = progress['rejected'];
      delete progress['rejected'];
    }),
  ),
  defect(
    'removed-beside-rejected',
    'review-update.progress.rejected-name',
    'The response to an update has the counter removed beside rejected.',
    editing(UPDATE, ({ progress }) => {
      if (isFields(progress)) progress['removed'] = progress['rejected'];
    }),
  ),
  ...['total', 'pending', 'approved', 'edited', 'remaining'].map((counter) =>
    defect(
      `detail-${counter}-one-off`,
      'review-update.progress.other-counters',
      `The counter ${counter} in the response to an update is one too high.`,
      editing(UPDATE, ({ progress }) => {
        if (isFields(progress)) progress[counter] = Number(progress[counter]) + 1;
      }),
    ),
  ),
  defect(
    'detail-rejected-wrong',
    'review-update.progress.other-counters',
    'The counter rejected in the response to an update is always 17.',
    editing(UPDATE, ({ progress }) => {
      if (isFields(progress)) progress['rejected'] = 17;
    }),
  ),
  ...['items', 'events'].map((list) =>
    defect(
      `${list}-of-no-review`,
      'review-update.item.review-id',
      `The ${list} of the detail form name no request.`,
      editing(UPDATE, (detail) => {
        for (const one of recordsIn(detail[list])) one['reviewId'] = '';
      }),
    ),
  ),
  defect(
    'review-alias-unknown',
    'review-update.alias',
    'An update does not know the alias of an automation.',
    during(UPDATE, ({ request, next }) =>
      segment(request.url, 'automations').startsWith('workflows.') ? refuse(404) : next(request),
    ),
  ),
  defect(
    'unknown-review-200',
    'status-code.404',
    'An update of an unknown request gets 200.',
    during(UPDATE, async ({ request, next }) => {
      const response = await next(request);
      return response.status === 404 ? respond(200, fieldsOf(request)) : response;
    }),
  ),
];

/** Whether a request has valid fields only, as far as these defects need to know. */
function isRight(request: Outgoing): boolean {
  const { title, focusFields } = fieldsOf(request);
  return typeof title === 'string' && Array.isArray(focusFields) && focusFields.every(isRecord);
}

function without(request: Outgoing, name: string): Outgoing {
  const { [name]: _left, ...others } = fieldsOf(request);
  return Object.keys(others).length === 0 ? request : withJson(request, others);
}

/** The status of the request of an update, from an update that changes nothing. */
async function statusNow({ request, next }: Call): Promise<unknown> {
  const { title } = fieldsOf(request);
  return fieldsOf(await next(withJson(request, { title })))['status'];
}

/** From then on, the inbox shows the title of the refused update. */
function changedAfterRefusal(isRefused: (response: Incoming) => boolean): Defect['open'] {
  return always(async ({ operationId, request, next, memory }) => {
    const response = await next(request);
    if (operationId === UPDATE) {
      const id = segment(request.url, 'dataset-review-requests');
      if (isRefused(response)) memory.set(id, 'Taken from a refused update');
      if (isSuccess(response)) memory.delete(id);
    }
    if (operationId !== INBOX || !isSuccess(response)) return response;
    const page = fieldsOf(response);
    for (const entry of recordsIn(page['data'])) {
      entry['title'] = memory.get(String(entry['id'])) ?? entry['title'];
    }
    return withJson(response, page);
  });
}

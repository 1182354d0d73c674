import { isRecord } from '@hookproof/conformance/hooks';
import type { Incoming, Outgoing } from '@hookproof/conformance/hooks';

import {
  onCall,
  onRequest,
  onResponse,
  editResponse,
  isSuccess,
  recordsIn,
  isFields,
  fieldsOf,
  isByAlias,
  segment,
} from '../kit/api.ts';
import type { Call } from '../kit/api.ts';
import { defect } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import { refuse, respond, withJson } from '../kit/message.ts';

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
  ...Object.entries(FIELDS).map(([name, word]) =>
    defect({
      id: `update-only-echoes-${word}`,
      breaks: `review-update.body.${word}`,
      does: `An update of ${name} shows in its response only.`,
      api: onCall(UPDATE, async ({ request, next }) => {
        const wanted = fieldsOf(request)[name];
        const response = await next(without(request, name));
        return isSuccess(response)
          ? withJson(response, { ...fieldsOf(response), [name]: wanted })
          : response;
      }),
    }),
  ),
  ...[
    { sent: 'title', lost: 'instructions', left: '' },
    { sent: 'instructions', lost: 'focusFields', left: [] },
    { sent: 'focusFields', lost: 'ignoredFields', left: [] },
    { sent: 'ignoredFields', lost: 'title', left: 'Untitled' },
  ].map(({ sent, lost, left }) =>
    defect({
      id: `update-of-${sent}-clears-${lost}`,
      breaks: 'review-update.body.partial',
      does: `An update of only ${sent} sets ${lost} to its default.`,
      api: onRequest(UPDATE, (request) =>
        isOnly(request, [sent])
          ? withJson(request, { ...fieldsOf(request), [lost]: left })
          : request,
      ),
    }),
  ),
  defect({
    id: 'close-drops-new-title',
    breaks: 'review-update.body.partial',
    does: 'An update that closes a request ignores its other fields.',
    api: onRequest(UPDATE, (request) =>
      fieldsOf(request)['status'] === 'closed' ? withJson(request, { status: 'closed' }) : request,
    ),
  }),
  defect({
    id: 'close-clears-focus-fields',
    breaks: 'review-update.body.partial',
    does: 'Closing a request removes its focus fields.',
    api: onRequest(UPDATE, (request) =>
      isOnly(request, ['status'])
        ? withJson(request, { ...fieldsOf(request), focusFields: [] })
        : request,
    ),
  }),
  defect({
    id: 'partial-update-echoes-only-its-fields',
    breaks: 'review-update.body.partial',
    does: 'The response to a partial update has null instructions, which the request still has.',
    api: editResponse(UPDATE, (detail, { request }) => {
      if (!('instructions' in fieldsOf(request))) detail['instructions'] = null;
    }),
  }),
  defect({
    id: 'title-composed',
    breaks: 'review-update.body.title',
    does: 'A title is stored with composed characters in place of combining marks.',
    api: rewritten('title', (text) => text.normalize('NFC')),
  }),
  defect({
    id: 'instructions-escaped',
    breaks: 'review-update.body.instructions',
    does: 'Instructions are stored escaped for HTML.',
    api: rewritten('instructions', (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
  }),
  defect({
    id: 'instructions-cut-at-1000',
    breaks: 'review-update.body.instructions',
    does: 'Instructions are cut after 1,000 characters.',
    api: rewritten('instructions', (text) => text.slice(0, 1000)),
  }),
  defect({
    id: 'ignored-fields-in-ascii',
    breaks: 'review-update.body.ignored-fields',
    does: 'Ignored fields lose every character beyond ASCII.',
    api: onRequest(UPDATE, (request) => {
      const body = fieldsOf(request);
      const names = body['ignoredFields'];
      if (!Array.isArray(names) || !/[^ -~]/.test(names.join())) return request;
      const kept = names.map((name: unknown) =>
        typeof name === 'string' ? name.replaceAll(/[^ -~]/g, '') : name,
      );
      return withJson(request, { ...body, ignoredFields: kept });
    }),
  }),
  defect({
    id: 'update-keeps-instructions',
    breaks: 'review-update.body.instructions',
    does: 'An update does not change instructions.',
    api: onRequest(UPDATE, (request) => without(request, 'instructions')),
  }),
  defect({
    id: 'update-echoes-old-title',
    breaks: 'review-update.body.title',
    does: 'The response to an update has the previous title.',
    api: onCall(UPDATE, async ({ request, next }) => {
      const old = await next(without(without(request, 'title'), 'status'));
      const response = await next(request);
      return isSuccess(response)
        ? withJson(response, { ...fieldsOf(response), title: fieldsOf(old)['title'] })
        : response;
    }),
  }),
  defect({
    id: 'focus-fields-appended',
    breaks: 'review-update.body.focus-fields',
    does: 'The response to an update has the new focus fields twice.',
    api: editResponse(UPDATE, (detail, { request }) => {
      const sent = fieldsOf(request)['focusFields'];
      detail['focusFields'] = [...recordsIn(sent), ...recordsIn(sent)];
    }),
  }),
  defect({
    id: 'focus-reasons-lost',
    breaks: 'review-update.body.focus-fields',
    does: 'An update loses the reasons of its focus fields.',
    api: onRequest(UPDATE, (request) => {
      const body = fieldsOf(request);
      const fields = recordsIn(body['focusFields']).map(({ path }) => ({ path }));
      return isValid(request) ? withJson(request, { ...body, focusFields: fields }) : request;
    }),
  }),
  defect({
    id: 'closing-ignored',
    breaks: 'review-update.close',
    does: 'An update with status closed does not change the status.',
    api: onRequest(UPDATE, (request) =>
      fieldsOf(request)['status'] === 'closed' ? without(request, 'status') : request,
    ),
  }),
  ...['draft', 'open', 'paused'].map((status) =>
    defect({
      id: `${status}-refuses-updates`,
      breaks: `review-update.editable.${status}`,
      does: `A request in status ${status} refuses updates.`,
      api: onRequest(UPDATE, (request) =>
        fieldsOf(request)['status'] === status && isValid(request) ? refuse(409) : request,
      ),
    }),
  ),
  defect({
    id: 'draft-never-closes',
    breaks: 'review-update.close',
    does: 'A request in status draft cannot be closed.',
    api: onCall(UPDATE, async (call) => {
      const closing = fieldsOf(call.request)['status'] === 'closed';
      const now = closing ? await statusNow(call) : null;
      return now === 'draft' ? refuse(409) : call.next(call.request);
    }),
  }),
  defect({
    id: 'closed-accepts-updates',
    breaks: 'states.review.closed-is-final',
    does: 'An update of a closed request gets 200, and changes nothing.',
    api: onResponse(UPDATE, (response, { request }) =>
      response.status === 409 ? respond(200, fieldsOf(request)) : response,
    ),
  }),
  defect({
    id: 'closed-refused-and-changed',
    breaks: 'states.review.closed-is-final',
    does: 'A refused update of a closed request changes its title.',
    api: changedAfterRefusal((response) => response.status === 409),
  }),
  defect({
    id: 'invalid-update-refused-and-made',
    breaks: 'review-update.body.types',
    does: 'A refused update with a field of the wrong type changes the title.',
    api: changedAfterRefusal((response) => response.status === 400),
  }),
  defect({
    id: 'detail-without-example-names',
    breaks: 'review-update.response.detail',
    does: 'The response to an update has no example names.',
    api: editResponse(UPDATE, (detail) => (detail['exampleNames'] = [])),
  }),
  defect({
    id: 'detail-of-another-request',
    breaks: 'review-update.response.detail',
    does: 'The response to an update has another id.',
    api: editResponse(UPDATE, (detail) => (detail['id'] = `${String(detail['id'])}0`)),
  }),
  defect({
    id: 'removed-in-detail-form',
    breaks: 'review-update.progress.counters',
    does: 'The response to an update names the counter removed.',
    api: editResponse(UPDATE, ({ progress }) => {
      if (!isFields(progress)) return;
      progress['removed'] = progress['rejected'];
      delete progress['rejected'];
    }),
  }),
  defect({
    id: 'detail-total-one-off',
    breaks: 'review-update.progress.counters',
    does: 'The counter total in the response to an update is one too high.',
    api: editResponse(UPDATE, ({ progress }) => {
      if (isFields(progress)) progress['total'] = Number(progress['total']) + 1;
    }),
  }),
  defect({
    id: 'items-without-review',
    breaks: 'review-update.item.review-id',
    does: 'The items in the response to an update have an empty reviewId.',
    api: editResponse(UPDATE, ({ items }) => {
      for (const item of recordsIn(items)) item['reviewId'] = '';
    }),
  }),
  defect({
    id: 'review-alias-unknown',
    breaks: 'review-update.alias',
    does: 'An update does not know the alias of an automation.',
    api: onRequest(UPDATE, (request) => (isByAlias(request) ? refuse(404) : request)),
  }),
];

/** Whether the body of a request has these fields and no others. */
function isOnly(request: Outgoing, names: readonly string[]): boolean {
  const sent = Object.keys(fieldsOf(request));
  return sent.length === names.length && names.every((name) => sent.includes(name));
}

/** Stores another text than the one that was sent. */
function rewritten(name: string, rewrite: (text: string) => string): Open {
  return onRequest(UPDATE, (request) => {
    const body = fieldsOf(request);
    const text = body[name];
    if (typeof text !== 'string' || rewrite(text) === text) return request;
    return withJson(request, { ...body, [name]: rewrite(text) });
  });
}

/** Whether a request has valid fields only, as far as these defects need to know. */
function isValid(request: Outgoing): boolean {
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
function changedAfterRefusal(isRefused: (response: Incoming) => boolean): Open {
  return onResponse('every', (response, { request, operationId, memory }) => {
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

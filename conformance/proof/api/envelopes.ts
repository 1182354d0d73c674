import type { Incoming } from '@hookproof/conformance/hooks';

import { isError, onResponse, recordsIn } from '../kit/api.ts';
import type { Call } from '../kit/api.ts';
import { defect } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import { editJson, replaceHeader, respond, withHeader } from '../kit/message.ts';
import type { Fields } from '../kit/message.ts';

const EVERY_ERROR = 'envelope.every-error';
const FIELDS = 'envelope.fields';
const HEADER = 'envelope.request-id.header-equals-body';

/** Errors in another shape. */
export const envelopeDefects: readonly Defect[] = [
  defect({
    id: 'errors-as-pages',
    breaks: EVERY_ERROR,
    does: 'Errors are HTML pages.',
    api: onError(({ status }) => ({
      status,
      headers: [['content-type', 'text/html']],
      bytes: Buffer.from(`<h1>${status}</h1>`),
    })),
  }),
  defect({
    id: 'errors-without-a-body',
    breaks: EVERY_ERROR,
    does: 'Errors have no body.',
    api: onError((response) => ({
      ...respond(response.status),
      headers: response.headers.filter(([name]) => name.toLowerCase() === 'x-request-id'),
    })),
  }),
  defect({
    id: 'errors-declared-as-html',
    breaks: 'versioning.wire.json-bodies',
    does: 'Errors are JSON, declared as text/html.',
    api: onError((response) => replaceHeader(response, 'content-type', 'text/html')),
  }),
  defect({
    id: 'errors-without-issues',
    breaks: FIELDS,
    does: 'Errors have no issues.',
    api: editError((body) => delete body['issues']),
  }),
  defect({
    id: 'errors-without-issues-but-in-the-inbox',
    breaks: FIELDS,
    does: 'Errors have no issues, but for those of the inbox.',
    api: onError((response, { operationId }) =>
      operationId === 'listDatasetReviewRequests'
        ? response
        : editJson(response, (body) => delete body['issues']),
    ),
  }),
  defect({
    id: 'errors-with-another-member',
    breaks: FIELDS,
    does: 'Errors have a member that the envelope does not have.',
    api: editError((body) => (body['status'] = 'error')),
  }),
  defect({
    id: 'errors-without-request-id',
    breaks: FIELDS,
    does: 'Errors have no requestId.',
    api: editError((body) => delete body['requestId']),
  }),
  defect({
    id: 'errors-without-request-id-header',
    breaks: HEADER,
    does: 'Errors have no x-request-id.',
    api: onError((response) => withHeader(response, 'x-request-id', null)),
  }),
  defect({
    id: 'errors-with-another-request-id-header',
    breaks: HEADER,
    does: 'x-request-id of an error is not its requestId.',
    api: onError((response) => withHeader(response, 'x-request-id', 'req_of_another_request')),
  }),
  defect({
    id: 'errors-with-hint-as-number',
    breaks: FIELDS,
    does: 'hint of an error is a number.',
    api: editError((body) => (body['hint'] = 7)),
  }),
  defect({
    id: 'errors-with-docs-url-as-list',
    breaks: FIELDS,
    does: 'docsUrl of an error is an array.',
    api: editError((body) => (body['docsUrl'] = ['a'])),
  }),
  defect({
    id: 'errors-with-number-as-owner',
    breaks: FIELDS,
    does: 'conflictingWorkflowId of an error is a number.',
    api: editError((body) => (body['conflictingWorkflowId'] = 7)),
  }),
  defect({
    id: 'issues-without-field',
    breaks: FIELDS,
    does: 'Issues have no field.',
    api: editIssues((issue) => delete issue['field']),
  }),
  defect({
    id: 'issues-with-code-as-number',
    breaks: FIELDS,
    does: 'code of an issue is a number.',
    api: editIssues((issue) => (issue['code'] = 4001)),
  }),
  defect({
    id: 'issues-with-fatal-severity',
    breaks: FIELDS,
    does: 'The severity of issues is fatal.',
    api: editIssues((issue) => (issue['severity'] = 'fatal')),
  }),
];

function onError(change: (response: Incoming, call: Call) => Incoming): Open {
  return onResponse('every', (response, call) =>
    isError(response) ? change(response, call) : response,
  );
}

function editError(edit: (body: Fields) => unknown): Open {
  return onError((response) => editJson(response, edit));
}

function editIssues(edit: (issue: Fields) => unknown): Open {
  return editError((body) => {
    for (const issue of recordsIn(body['issues'])) edit(issue);
  });
}

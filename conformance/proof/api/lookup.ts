import { isRecord } from '@hookproof/conformance/hooks';
import type { Incoming } from '@hookproof/conformance/hooks';

import { onResponse, segment } from '../kit/api.ts';
import type { Call } from '../kit/api.ts';
import { defect } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import { jsonOf, refuse, respond } from '../kit/message.ts';

type When = (call: Call) => boolean;

const isEmpty: When = ({ request }) => request.body?.byteLength === 0;
const isMalformed: When = ({ request }) =>
  request.body !== null && request.body.byteLength > 0 && jsonOf(request) === undefined;
const isNotAnObject: When = ({ request }) => {
  const json = jsonOf(request);
  return json !== undefined && !isRecord(json);
};

/** Operations that respond wrongly to ids that they do not know, and to bodies that they cannot read. */
export const lookupDefects: readonly Defect[] = [
  defect({
    id: 'unknown-id-gets-400',
    breaks: 'status-code.404',
    does: 'An id that the tenant does not have gets 400.',
    api: onResponse('every', (response, call) =>
      response.status === 404 && !hasMalformedId(call) ? refuse(400) : response,
    ),
  }),
  defect({
    id: 'malformed-id-gets-500',
    breaks: 'status-code.404',
    does: 'A malformed id gets 500.',
    api: onUnknownId(hasMalformedId, () => refuse(500, 'internal_error')),
  }),
  defect({
    id: 'unknown-file-is-empty',
    breaks: 'status-code.404',
    does: 'An unknown file has metadata and no content.',
    api: onResponse(['getFile', 'getFileContent'], (response, { request, operationId }) => {
      if (response.status !== 404) return response;
      return operationId === 'getFileContent'
        ? { status: 200, headers: [], bytes: new Uint8Array() }
        : respond(200, { id: segment(request.url, 'files') });
    }),
  }),
  defect({
    id: 'malformed-json-gets-500',
    breaks: 'status-code.400',
    does: 'A body that is not JSON gets 500.',
    api: onInvalidBody(isMalformed, () => refuse(500, 'internal_error')),
  }),
  defect({
    id: 'array-as-body-succeeds',
    breaks: 'status-code.400',
    does: 'A body that is not an object gets 200.',
    api: onInvalidBody(isNotAnObject, () => respond(200, {})),
  }),
  defect({
    id: 'missing-body-succeeds',
    breaks: 'status-code.400',
    does: 'A missing body gets 200.',
    api: onInvalidBody(isEmpty, () => respond(200, { name: 'invoice.json' })),
  }),
];

function onUnknownId(isConcerned: When, made: () => Incoming): Open {
  return onResponse('every', (response, call) => {
    const isUnknown =
      response.status === 404 && idsOf(call).some((id) => !call.knowledge.isKnownId(id));
    return isUnknown && isConcerned(call) ? made() : response;
  });
}

function onInvalidBody(isConcerned: When, made: () => Incoming): Open {
  return onResponse('every', (response, call) =>
    response.status === 400 && isConcerned(call) ? made() : response,
  );
}

function hasMalformedId(call: Call): boolean {
  return idsOf(call).some((id) => id.includes(' '));
}

/** The values of the path parameters. A file path, the last one, can contain slashes. */
function idsOf({ operation, request }: Call): readonly string[] {
  const values = new URL(request.url).pathname.split('/').map(decodeURIComponent);
  return operation.path.split('/').flatMap((name, index) => {
    if (!name.startsWith('{')) return [];
    return name === '{path}' ? [values.slice(index).join('/')] : [values[index] ?? ''];
  });
}

import { chain } from '@hookproof/conformance/hooks';
import type { Incoming } from '@hookproof/conformance/hooks';

import {
  count,
  onCall,
  onDownload,
  onRequest,
  onResponse,
  editResponse,
  isSuccess,
  fieldsOf,
  segment,
} from '../kit/api.ts';
import { defect, perRun } from '../kit/defect.ts';
import type { Defect } from '../kit/defect.ts';
import { refuse, respond, withBytes } from '../kit/message.ts';

const FILE = 'getFile';
const CONTENT = 'getFileContent';
const COMPLETE = 'completeFileUpload';

/** How a pending upload becomes a file. */
export const uploadDefects: readonly Defect[] = [
  defect({
    id: 'completion-wants-a-body',
    breaks: 'upload-complete.no-request-body',
    does: 'A completion without a body gets 400.',
    api: onRequest(COMPLETE, (request) => (request.body === null ? refuse(400) : request)),
  }),
  defect({
    id: 'completion-of-a-missing-file',
    breaks: 'upload-complete.promotes',
    does: 'A completion names a file that cannot be read.',
    api: onResponse('every', (response, { request, operationId, memory }) => {
      if (operationId === COMPLETE && isSuccess(response))
        memory.set(String(fieldsOf(response)['id']), true);
      const isPromoted = operationId === FILE && memory.get(segment(request.url, 'files')) === true;
      return isPromoted ? refuse(404) : response;
    }),
  }),
  defect({
    id: 'completion-promotes-other-bytes',
    breaks: 'upload-complete.promotes',
    does: 'The file of a completed upload has other bytes.',
    api: perRun((knowledge) => {
      const promoted = new Set<unknown>();
      const noting = editResponse(COMPLETE, ({ id }) => promoted.add(id));
      const changing = onDownload(CONTENT, (response, { url }) =>
        promoted.has(segment(url, 'files')) ? withOtherBytes(response) : response,
      );
      return () => chain([noting(knowledge), changing(knowledge)]);
    }),
  }),
  defect({
    id: 'completion-makes-another-file',
    breaks: 'upload-complete.retry-safe',
    does: 'Each completion of an upload names another file.',
    api: editResponse(COMPLETE, (file, call) => {
      const turn = count(call);
      if (turn > 1) file['id'] = `${String(file['id'])}${turn}`;
    }),
  }),
  defect({
    id: 'completion-only-once',
    breaks: 'upload-complete.retry-safe',
    does: 'A second completion of an upload gets 409.',
    api: onCall(COMPLETE, async ({ request, next, memory }) => {
      if (memory.get(request.url) === true) return refuse(409);
      const response = await next(request);
      if (isSuccess(response)) memory.set(request.url, true);
      return response;
    }),
  }),
  defect({
    id: 'completion-with-another-size',
    breaks: 'upload-complete.promotes',
    does: 'The response to a completion has another size than the metadata.',
    api: editResponse(COMPLETE, (file) => (file['size'] = Number(file['size']) + 1)),
  }),
  defect({
    id: 'completion-of-empty-upload',
    breaks: 'upload-complete.verifies',
    does: 'An upload without the declared bytes is completed.',
    api: onResponse(COMPLETE, (response) =>
      response.status === 409 ? respond(200, { id: 'file_of_nothing' }) : response,
    ),
  }),
  defect({
    id: 'completion-of-mismatched-upload',
    breaks: 'upload-complete.verifies-declared',
    does: 'An upload with other bytes than declared is completed at the second attempt.',
    api: onResponse(COMPLETE, (response, { request, memory }) => {
      if (response.status !== 409) return response;
      const again = memory.get(request.url) === true;
      memory.set(request.url, true);
      return again ? respond(200, { id: 'file_of_nothing' }) : response;
    }),
  }),
];

function withOtherBytes(response: Incoming): Incoming {
  return withBytes(
    response,
    response.bytes.map((byte) => byte ^ 1),
  );
}

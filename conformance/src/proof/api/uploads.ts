import { redirectTarget } from '../../http/message.ts';
import type { Incoming } from '../../http/message.ts';
import { refuse, respond, withBytes } from '../kit/message.ts';
import { defect } from '../kit/defect.ts';
import type { Defect } from '../kit/defect.ts';
import {
  onCall,
  onRequest,
  onResponse,
  editResponse,
  isSuccess,
  fieldsOf,
  segment,
} from '../kit/api.ts';

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
    api: (knowledge) => {
      const promoted = new Set<string>();
      const storages = new Set<string>();
      return {
        async api(request, next) {
          const response = await next(request);
          const operation = knowledge.operationOf(request)?.operationId;
          if (operation === COMPLETE && isSuccess(response))
            promoted.add(String(fieldsOf(response)['id']));
          if (operation !== CONTENT || !promoted.has(segment(request.url, 'files')))
            return response;
          const storage = redirectTarget(request.url, response);
          if (storage === null) return withOtherBytes(response);
          storages.add(storage);
          return response;
        },
        async storage(request, next) {
          const response = await next(request);
          return storages.has(request.url) ? withOtherBytes(response) : response;
        },
      };
    },
  }),
  defect({
    id: 'completion-makes-another-file',
    breaks: 'upload-complete.retry-safe',
    does: 'Each completion of an upload names another file.',
    api: editResponse(COMPLETE, (file, { memory }) => {
      const count = Number(memory.get('count') ?? 0) + 1;
      memory.set('count', count);
      if (count > 1) file['id'] = `${String(file['id'])}${count}`;
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
    id: 'completion-of-empty-upload',
    breaks: 'upload-complete.verifies',
    does: 'An upload without the declared bytes is completed.',
    api: onResponse(COMPLETE, (response) =>
      response.status === 409 ? respond(200, { id: 'file_of_nothing' }) : response,
    ),
  }),
  defect({
    id: 'completion-of-mismatched-upload',
    breaks: 'upload-complete.verifies',
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

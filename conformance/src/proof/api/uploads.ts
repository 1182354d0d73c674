import { redirectTarget } from '../../http/message.ts';
import type { Incoming } from '../../http/message.ts';
import { refuse, respond, withBytes } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import { always, defect, during, editing, fieldsOf, isSuccess, segment } from './exchange.ts';

const FILE = 'getFile';
const CONTENT = 'getFileContent';
const COMPLETE = 'completeFileUpload';

/** How a pending upload becomes a file. */
export const uploadDefects: readonly Defect[] = [
  defect(
    'completion-wants-a-body',
    'upload-complete.no-request-body',
    'A completion without a body gets 400.',
    during(COMPLETE, ({ request, next }) => (request.body === null ? refuse(400) : next(request))),
  ),
  defect(
    'completion-of-a-missing-file',
    'upload-complete.promotes',
    'A completion names a file that cannot be read.',
    always(async ({ operationId, request, next, memory }) => {
      const response = await next(request);
      if (operationId === COMPLETE && isSuccess(response))
        memory.set(String(fieldsOf(response)['id']), true);
      const isPromoted = operationId === FILE && memory.get(segment(request.url, 'files')) === true;
      return isPromoted ? refuse(404) : response;
    }),
  ),
  defect(
    'completion-promotes-other-bytes',
    'upload-complete.promotes',
    'The file of a completed upload has other bytes.',
    (knowledge) => {
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
  ),
  defect(
    'completion-makes-another-file',
    'upload-complete.retry-safe',
    'Each completion of an upload names another file.',
    editing(COMPLETE, (file, { memory }) => {
      const count = Number(memory.get('count') ?? 0) + 1;
      memory.set('count', count);
      if (count > 1) file['id'] = `${String(file['id'])}${count}`;
    }),
  ),
  defect(
    'completion-only-once',
    'upload-complete.retry-safe',
    'A second completion of an upload gets 409.',
    during(COMPLETE, async ({ request, next, memory }) => {
      if (memory.get(request.url) === true) return refuse(409);
      const response = await next(request);
      if (isSuccess(response)) memory.set(request.url, true);
      return response;
    }),
  ),
  ...['empty', 'mismatched'].map((word) =>
    defect(
      `completion-of-${word}-upload`,
      'upload-complete.verifies',
      word === 'empty'
        ? 'An upload without bytes is completed.'
        : 'An upload with other bytes than declared is completed at the second attempt.',
      during(COMPLETE, async ({ request, next, memory }) => {
        const response = await next(request);
        if (response.status !== 409) return response;
        const again = memory.get(request.url) === true;
        memory.set(request.url, true);
        return word === 'empty' || again ? respond(200, { id: 'file_of_nothing' }) : response;
      }),
    ),
  ),
  defect(
    'unknown-upload-completed',
    'status-code.404',
    'The completion of an unknown upload gets 200.',
    during(COMPLETE, async ({ request, next }) => {
      const response = await next(request);
      return response.status === 404 ? respond(200, { id: 'file_of_nothing' }) : response;
    }),
  ),
];

function withOtherBytes(response: Incoming): Incoming {
  return withBytes(
    response,
    response.bytes.map((byte) => byte ^ 1),
  );
}

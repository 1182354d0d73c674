import { redirectTarget } from '@hookproof/conformance/hooks';
import type { Incoming } from '@hookproof/conformance/hooks';

import {
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
import type { Defect, Open } from '../kit/defect.ts';
import { refuse, withBytes, withHeader } from '../kit/message.ts';

const FILE = 'getFile';
const CONTENT = 'getFileContent';

/** Metadata, content and lifetime of files. */
export const fileDefects: readonly Defect[] = [
  defect({
    id: 'file-of-another-id',
    breaks: 'file.metadata',
    does: 'The metadata of a file have another id.',
    api: editResponse(FILE, (file) => (file['id'] = `${String(file['id'])}0`)),
  }),
  defect({
    id: 'file-refused',
    breaks: 'file.metadata',
    does: 'A request for the metadata of a file gets 400.',
    api: onRequest(FILE, () => refuse(400)),
  }),
  defect({
    id: 'content-cut-short',
    breaks: 'file-content.bytes',
    does: 'A download lacks its last byte.',
    api: content((bytes) => bytes.slice(0, -1)),
  }),
  defect({
    id: 'content-as-text',
    breaks: 'file-content.bytes',
    does: 'A download replaces bytes that are not ASCII.',
    api: content((bytes) => Buffer.from(bytes.map((byte) => byte ^ 0x80))),
  }),
  defect({
    id: 'content-streamed-empty',
    breaks: 'file-content.streamed',
    does: 'A download without a redirect has no bytes.',
    api: onResponse(CONTENT, (response) =>
      isSuccess(response) ? withBytes(response, new Uint8Array()) : response,
    ),
  }),
  defect({
    id: 'redirect-without-location',
    breaks: 'file-content.redirect',
    does: 'A redirect has no Location.',
    api: onResponse(CONTENT, (response, { request }) =>
      redirectTarget(request.url, response) === null
        ? response
        : withHeader(response, 'location', null),
    ),
  }),
  defect({
    id: 'redirect-into-a-loop',
    breaks: 'file-content.redirect',
    does: 'The storage redirects to itself.',
    api: () => ({
      storage: async ({ url }) => ({
        status: 302,
        headers: [['location', url]],
        bytes: new Uint8Array(),
      }),
    }),
  }),
  ...(
    [
      ['storage-url-permanent', 'file-content.redirect.short-lived', 'A storage URL stays valid.'],
      [
        'storage-url-of-export-permanent',
        'export.redirect.short-lived',
        'The storage URL of an export stays valid.',
      ],
    ] as const
  ).map(([id, breaks, does]) =>
    defect({
      id,
      breaks,
      does,
      api: () => {
        const known = new Map<string, Incoming>();
        return {
          async storage(request, next) {
            const response = await next(request);
            if (isSuccess(response)) known.set(request.url, response);
            return known.get(request.url) ?? response;
          },
        };
      },
    }),
  ),
  defect({
    id: 'run-input-shown-as-durable',
    breaks: 'file.purpose.run-input-expires',
    does: 'A file of purpose run-input has no purpose.',
    api: editResponse('getFile', (file) => {
      if (file['purpose'] === 'run-input') file['purpose'] = null;
    }),
  }),
  defect({
    id: 'run-input-never-expires',
    breaks: 'file.purpose.run-input-expires',
    does: 'The metadata of a file of purpose run-input stay after a day.',
    api: kept(FILE, (file) => file['purpose'] === 'run-input'),
  }),
  defect({
    id: 'run-input-content-stays',
    breaks: 'file.purpose.run-input-expires',
    does: 'The content of a file of purpose run-input stays after a day.',
    api: onResponse('every', (response, { request, operationId, memory }) => {
      const id = segment(request.url, 'files');
      if (operationId === FILE && fieldsOf(response)['purpose'] === 'run-input')
        memory.set(id, true);
      return operationId === CONTENT && response.status === 404 && memory.get(id) === true
        ? { status: 200, headers: [], bytes: Buffer.from('kept') }
        : response;
    }),
  }),
  defect({
    id: 'builder-attachment-never-expires',
    breaks: 'file.purpose.builder-attachment-expires',
    does: 'The metadata of a file of purpose builder-attachment stay after a day.',
    api: kept(FILE, (file) => file['purpose'] === 'builder-attachment'),
  }),
  defect({
    id: 'temporary-expires-early',
    breaks: 'limits.temporary-uploads',
    does: 'Temporary files expire with the first hour.',
    api: expiring((file) => file['purpose'] != null),
  }),
  defect({
    id: 'durable-expires',
    breaks: 'file.purpose.durable-when-absent',
    does: 'A file without a purpose expires.',
    api: expiring((file) => file['purpose'] == null),
  }),
];

function content(change: (bytes: Uint8Array) => Uint8Array): Open {
  return onDownload(CONTENT, (response) =>
    isSuccess(response) ? withBytes(response, change(response.bytes)) : response,
  );
}

/** Repeats the first success of a file for as long as the run lasts. */
function kept(
  operation: string,
  isConcerned: (file: Readonly<Record<string, unknown>>) => boolean,
): Open {
  return perRun(() => {
    const first = new Map<string, Incoming>();
    return onCall(operation, async ({ request, next }) => {
      const response = await next(request);
      if (!isSuccess(response)) return first.get(request.url) ?? response;
      if (isConcerned(fieldsOf(response))) first.set(request.url, response);
      return response;
    });
  });
}

/** Refuses the second and every later request for a file whose metadata were read before the clock was advanced. */
function expiring(isConcerned: (file: Readonly<Record<string, unknown>>) => boolean): Open {
  return (knowledge) => {
    let advanced = false;
    const known = new Set<string>();
    return {
      control: (request, next) => {
        advanced ||= request.url.endsWith('/clock/advance');
        return next(request);
      },
      async api(request, next) {
        const operation = knowledge.operationOf(request)?.operationId;
        const response = await next(request);
        if (operation !== FILE) return response;
        const isKnown = known.has(request.url);
        if (isSuccess(response) && isConcerned(fieldsOf(response))) known.add(request.url);
        return advanced && isKnown ? refuse(404) : response;
      },
    };
  };
}

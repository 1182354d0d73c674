import { redirectTarget } from '@hookproof/conformance/hooks';
import type { Incoming } from '@hookproof/conformance/hooks';
import {
  fieldsOf,
  isSuccess,
  onCall,
  onDownload,
  onRequest,
  onResponse,
  query,
  renamedFixture,
  segment,
} from '@hookproof/conformance/proof/kit/api';
import { editArchive } from '@hookproof/conformance/proof/kit/archive';
import type { Files } from '@hookproof/conformance/proof/kit/archive';
import { variant, variantsOf } from '@hookproof/conformance/proof/kit/defect';
import type { Open, Variant } from '@hookproof/conformance/proof/kit/defect';
import { bearerOf } from '@hookproof/conformance/proof/kit/knowledge';
import { refuse, withHeader, withQuery } from '@hookproof/conformance/proof/kit/message';

const EXPORT = 'exportDataset';
const CONTENT = 'getFileContent';
const FILE = 'getFile';
const COMPLETE = 'completeFileUpload';

/** Redirects, archives, lifetimes and refusals of files. */
export const downloadVariants: readonly Variant[] = [
  variant({
    id: 'storage-203',
    takes: 'export.redirect',
    does: 'The storage that an export or a download is redirected to responds 203.',
    api: () => ({
      storage: async (request, next) => {
        const response = await next(request);
        return response.status === 200 ? { ...response, status: 203 } : response;
      },
    }),
  }),
  ...['examples', 'ids'].map((name) =>
    variant({
      id: `export-parameter-${name}`,
      takes: 'export.parameter-name',
      does: `The parameter of an export is ${name}.`,
      api: (knowledge) => ({
        ...onRequest(EXPORT, (request) =>
          withQuery(withQuery(request, name, null), 'exampleIds', query(request.url, name)),
        )(knowledge),
        control: renamedFixture('exportParameter', name),
      }),
    }),
  ),
  ...variantsOf({
    takes: 'export.archive',
    api: inArchive,
    rows: {
      'archive-manifest': [
        'An archive also has a manifest.',
        (files) => files.set('manifest.json', Buffer.from('{}')),
      ],
      'archive-folder-entries': [
        'An archive has entries for its folders.',
        (files) => {
          for (const path of files.keys())
            files.set(`${path.split('/').slice(0, 3).join('/')}/`, Buffer.alloc(0));
        },
      ],
      'archive-reversed': [
        'An archive has its files in reverse order.',
        (files) => {
          const entries = [...files].toReversed();
          files.clear();
          for (const [path, content] of entries) files.set(path, content);
        },
      ],
      'archive-notes-of-examples': [
        'An archive has notes beside its examples.',
        (files) => files.set('examples/README.md', Buffer.from('notes')),
      ],
    },
  }),
  variant({
    id: 'export-unknown-example-400',
    takes: 'export.unknown-example',
    does: 'An export of unknown examples gets 400.',
    api: onResponse(EXPORT, (response, { request }) =>
      response.status === 404 && query(request.url, 'exampleIds') !== null ? refuse(400) : response,
    ),
  }),
  ...[CONTENT, EXPORT].flatMap((operation) => [
    variant({
      id: `${operation}-never-redirected`,
      takes: 'limits.redirect-threshold',
      at: operation,
      does: `${operation} never redirects.`,
      api: onCall(operation, async ({ request, next }) => {
        const response = await next(request);
        const storage = redirectTarget(request.url, response);
        return storage === null
          ? response
          : next({ method: 'GET', url: storage, headers: [], body: null });
      }),
      silences:
        operation === CONTENT
          ? ['api.file-content.redirect', 'api.file-content.short-lived']
          : ['api.export.short-lived'],
    }),
    variant({
      id: `${operation}-always-redirected`,
      takes: 'limits.redirect-threshold',
      at: operation,
      does: `${operation} always redirects.`,
      api: alwaysRedirected(operation),
      silences: operation === CONTENT ? ['api.file-content.streamed'] : [],
    }),
  ]),
  ...[CONTENT, EXPORT].flatMap((operation) =>
    [301, 303, 307, 308].map((status) =>
      variant({
        id: `${operation}-redirect-${status}`,
        takes: 'file-content.redirect-form',
        at: operation,
        does: `${operation} redirects with ${status}.`,
        api: onResponse(operation, (response, { request }) =>
          redirectTarget(request.url, response) === null ? response : { ...response, status },
        ),
      }),
    ),
  ),
  ...[1, 2, 3, 8].map((hops) =>
    variant({
      id: `storage-redirects-${hops}`,
      takes: 'file-content.redirect-form',
      at: 'storage',
      does: `The storage redirects ${hops === 1 ? 'once more' : `${hops} more times`}.`,
      api: () => ({
        storage: async (request, next) => {
          // Text only: another encoding of the query would break its signature.
          const [url = '', hop = '0'] = request.url.split(/[?&]hop=/);
          if (Number(hop) === hops) return next({ ...request, url });
          const location = `${url}${url.includes('?') ? '&' : '?'}hop=${Number(hop) + 1}`;
          return { status: 307, headers: [['location', location]], bytes: new Uint8Array() };
        },
      }),
    }),
  ),
  variant({
    id: 'content-as-octets',
    takes: 'file-content.media-type',
    does: 'A download is application/octet-stream.',
    api: onResponse(CONTENT, (response) => {
      if (!isSuccess(response)) return response;
      return withHeader(response, 'content-type', 'application/octet-stream');
    }),
  }),
  variant({
    id: 'expired-410',
    takes: 'file.reaping-delay',
    does: 'A file that existed gets 410.',
    api: onResponse([FILE, CONTENT], (response, { request, memory }) => {
      const id = segment(request.url, 'files');
      if (response.status < 400) memory.set(id, true);
      return response.status === 404 && memory.get(id) === true ? refuse(410) : response;
    }),
  }),
  ...[400, 404, 422].map((status) =>
    variant({
      id: `upload-refused-${status}`,
      takes: 'upload-complete.refusal',
      does: `A refused upload gets ${status}.`,
      api: onResponse(COMPLETE, (response) =>
        response.status === 409 ? refuse(status) : response,
      ),
    }),
  ),
  ...[409, 503].map((status) =>
    variant({
      id: `upload-in-progress-${status}`,
      takes: 'upload-complete.simultaneous',
      does: `A completion gets ${status} during another completion.`,
      api: onCall(COMPLETE, async ({ request, next, memory }) => {
        const caller = `${request.url} ${bearerOf(request) ?? ''}`;
        if (memory.get(caller) === true) return refuse(status);
        memory.set(caller, true);
        try {
          return await next(request);
        } finally {
          memory.delete(caller);
        }
      }),
    }),
  ),
  variant({
    id: 'purpose-null',
    takes: 'file.purpose.durable-when-absent',
    does: 'The purpose of a durable file is null.',
    api: onResponse('every', (response, { operationId }) => {
      const isFile = operationId === FILE || operationId === COMPLETE;
      if (!isFile || !isSuccess(response)) return response;
      const file = fieldsOf(response);
      return file['purpose'] === undefined
        ? { ...response, bytes: Buffer.from(JSON.stringify({ ...file, purpose: null })) }
        : response;
    }),
  }),
];

/** A download becomes a redirect to an address that the transformation serves. */
function alwaysRedirected(operation: string): Open {
  return (knowledge) => {
    const stored = new Map<string, Incoming>();
    return {
      api: async (request, next) => {
        const response = await next(request);
        const isConcerned = knowledge.operationOf(request)?.operationId === operation;
        if (!isConcerned || !isSuccess(response)) return response;
        const url = new URL(`/storage-of-a-transformation/${stored.size}`, request.url).href;
        stored.set(url, response);
        return { status: 302, headers: [['location', url]], bytes: new Uint8Array() };
      },
      storage: async (request, next) => stored.get(request.url) ?? next(request),
    };
  };
}

function inArchive(edit: (files: Files) => unknown): Open {
  return onDownload(EXPORT, (response) => editArchive(response, (files) => void edit(files)));
}

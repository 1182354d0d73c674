import { redirectTarget } from '../../http/message.ts';
import type { Incoming } from '../../http/message.ts';
import { refuse, withHeader, withQuery } from '../kit/message.ts';
import { bearerOf } from '../knowledge.ts';
import type { Variant } from '../kit/defect.ts';
import { editArchive } from './archive-edit.ts';
import {
  always,
  asking,
  during,
  fieldsOf,
  isSuccess,
  query,
  renamedFixture,
  segment,
  variant,
} from './exchange.ts';
import { transformed } from './exported-archive.ts';

const EXPORT = 'exportDataset';
const CONTENT = 'getFileContent';
const FILE = 'getFile';
const COMPLETE = 'completeFileUpload';

/** Redirects, archives, lifetimes and refusals of files. */
export const downloadVariants: readonly Variant[] = [
  ...['examples', 'ids'].map((name) =>
    variant(
      `export-parameter-${name}`,
      'export.parameter-name',
      `The parameter of an export is ${name}.`,
      (knowledge) => ({
        ...asking(EXPORT, (request) =>
          withQuery(withQuery(request, name, null), 'exampleIds', query(request.url, name)),
        )(knowledge),
        control: renamedFixture('exportParameter', name),
      }),
    ),
  ),
  ...Object.entries({
    manifest: (files: Map<string, Buffer>) => files.set('manifest.json', Buffer.from('{}')),
    'folder-entries': (files: Map<string, Buffer>) => {
      for (const path of files.keys())
        files.set(`${path.split('/').slice(0, 3).join('/')}/`, Buffer.alloc(0));
    },
    reversed: (files: Map<string, Buffer>) => {
      const entries = [...files].toReversed();
      files.clear();
      for (const [path, content] of entries) files.set(path, content);
    },
    'notes-of-examples': (files: Map<string, Buffer>) =>
      files.set('examples/README.md', Buffer.from('notes')),
  }).map(([word, edit]) =>
    variant(
      `archive-${word}`,
      'export.archive',
      `An archive is different outside its files (${word.replaceAll('-', ' ')}).`,
      transformed((response) => editArchive(response, (files) => void edit(files))),
    ),
  ),
  variant(
    'export-unknown-example-400',
    'export.unknown-example',
    'An export of unknown examples gets 400.',
    during(EXPORT, async ({ request, next }) => {
      const response = await next(request);
      return response.status === 404 && query(request.url, 'exampleIds') !== null
        ? refuse(400)
        : response;
    }),
  ),
  ...[CONTENT, EXPORT].flatMap((operation) => [
    variant(
      `${operation}-never-redirected`,
      'limits.redirect-threshold',
      `${operation} never redirects.`,
      during(operation, async ({ request, next }) => {
        const response = await next(request);
        const storage = redirectTarget(request.url, response);
        return storage === null
          ? response
          : next({ method: 'GET', url: storage, headers: [], body: null });
      }),
      operation === CONTENT ? ['api.file-content.redirect', 'api.file-content.short-lived'] : [],
    ),
    variant(
      `${operation}-always-redirected`,
      'limits.redirect-threshold',
      `${operation} always redirects.`,
      alwaysRedirected(operation),
      operation === CONTENT ? ['api.file-content.streamed'] : [],
    ),
  ]),
  ...[CONTENT, EXPORT].flatMap((operation) =>
    [301, 303, 307, 308].map((status) =>
      variant(
        `${operation}-redirect-${status}`,
        'file-content.redirect-form',
        `${operation} redirects with ${status}.`,
        during(operation, async ({ request, next }) => {
          const response = await next(request);
          return redirectTarget(request.url, response) === null
            ? response
            : { ...response, status };
        }),
      ),
    ),
  ),
  ...[1, 3, 8].map((hops) =>
    variant(
      `storage-redirects-${hops}`,
      'file-content.redirect-form',
      `The storage redirects ${hops} more times.`,
      () => ({
        storage: async (request, next) => {
          // Text only: another encoding of the query would break its signature.
          const [url = '', hop = '0'] = request.url.split(/[?&]hop=/);
          if (Number(hop) === hops) return next({ ...request, url });
          const location = `${url}${url.includes('?') ? '&' : '?'}hop=${Number(hop) + 1}`;
          return { status: 307, headers: [['location', location]], bytes: new Uint8Array() };
        },
      }),
    ),
  ),
  variant(
    'content-as-octets',
    'file-content.media-type',
    'A download is application/octet-stream.',
    during(CONTENT, async ({ request, next }) => {
      const response = await next(request);
      if (!isSuccess(response)) return response;
      return withHeader(response, 'content-type', 'application/octet-stream');
    }),
  ),
  variant(
    'expired-410',
    'file.reaping-delay',
    'A file that existed gets 410.',
    during([FILE, CONTENT], async ({ request, next, memory }) => {
      const response = await next(request);
      const id = segment(request.url, 'files');
      if (response.status < 400) memory.set(id, true);
      return response.status === 404 && memory.get(id) === true ? refuse(410) : response;
    }),
  ),
  ...[400, 404, 422].map((status) =>
    variant(
      `upload-refused-${status}`,
      'upload-complete.refusal',
      `A refused upload gets ${status}.`,
      during(COMPLETE, async ({ request, next }) => {
        const response = await next(request);
        return response.status === 409 ? refuse(status) : response;
      }),
    ),
  ),
  ...[409, 503].map((status) =>
    variant(
      `upload-in-progress-${status}`,
      'upload-complete.simultaneous',
      `A completion gets ${status} during another completion.`,
      during(COMPLETE, async ({ request, next, memory }) => {
        const caller = `${request.url} ${bearerOf(request) ?? ''}`;
        if (memory.get(caller) === true) return refuse(status);
        memory.set(caller, true);
        try {
          return await next(request);
        } finally {
          memory.delete(caller);
        }
      }),
    ),
  ),
  variant(
    'purpose-null',
    'file.purpose.durable-when-absent',
    'The purpose of a durable file is null.',
    always(async ({ operationId, request, next }) => {
      const response = await next(request);
      const isFile = operationId === FILE || operationId === COMPLETE;
      if (!isFile || !isSuccess(response)) return response;
      const file = fieldsOf(response);
      return file['purpose'] === undefined
        ? { ...response, bytes: Buffer.from(JSON.stringify({ ...file, purpose: null })) }
        : response;
    }),
  ),
];

/** A download becomes a redirect to an address that the transformation serves. */
function alwaysRedirected(operation: string): Variant['open'] {
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

import type { Incoming } from '../../http/message.ts';
import { redirectTarget } from '../../http/message.ts';
import { refuse, respond, withBytes, withHeader } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import { always, defect, during, editing, fieldsOf, isSuccess, segment } from './exchange.ts';

const FILE = 'getFile';
const CONTENT = 'getFileContent';

/** Metadata, content and lifetime of files. */
export const fileDefects: readonly Defect[] = [
  defect(
    'file-of-another-id',
    'file.metadata',
    'The metadata of a file have another id.',
    editing(FILE, (file) => (file['id'] = `${String(file['id'])}0`)),
  ),
  defect(
    'file-not-found',
    'file.metadata',
    'The metadata of files get 404.',
    during(FILE, () => refuse(404)),
  ),
  defect(
    'file-size-off-by-one',
    'file-content.bytes',
    'The size of a file is one too high.',
    editing(FILE, (file) => (file['size'] = Number(file['size']) + 1)),
  ),
  defect(
    'unknown-file-empty',
    'status-code.404',
    'An unknown file has metadata.',
    during([FILE, CONTENT], async ({ request, next, operationId }) => {
      const response = await next(request);
      if (response.status !== 404) return response;
      return operationId === CONTENT
        ? { status: 200, headers: [], bytes: new Uint8Array() }
        : respond(200, { id: segment(request.url, 'files') });
    }),
  ),
  content('content-cut-short', 'A download lacks its last byte.', (bytes) => bytes.slice(0, -1)),
  content('content-with-a-byte-more', 'A download has a line break at its end.', (bytes) =>
    Buffer.concat([bytes, Buffer.from('\n')]),
  ),
  content('content-changed', 'A download has another first byte.', (bytes) =>
    Buffer.concat([Buffer.from([(bytes[0] ?? 0) ^ 1]), bytes.slice(1)]),
  ),
  content('content-as-text', 'A download replaces bytes that are not ASCII.', (bytes) =>
    Buffer.from(bytes.map((byte) => byte ^ 0x80)),
  ),
  defect(
    'content-streamed-empty',
    'file-content.streamed',
    'A download without a redirect has no bytes.',
    during(CONTENT, async ({ request, next }) => {
      const response = await next(request);
      return isSuccess(response) ? withBytes(response, new Uint8Array()) : response;
    }),
  ),
  defect(
    'redirect-without-location',
    'file-content.redirect',
    'A redirect has no Location.',
    during(CONTENT, async ({ request, next }) => {
      const response = await next(request);
      return redirectTarget(request.url, response) === null
        ? response
        : withHeader(response, 'location', null);
    }),
  ),
  ...[401, 403, 404].map((status) =>
    defect(
      `storage-${status}`,
      'file-content.redirect',
      `The storage responds with ${status}.`,
      () => ({
        storage: async () => ({ status, headers: [], bytes: new Uint8Array() }),
      }),
    ),
  ),
  defect(
    'redirect-into-a-loop',
    'file-content.redirect',
    'The storage redirects to itself.',
    () => ({
      storage: async ({ url }) => ({
        status: 302,
        headers: [['location', url]],
        bytes: new Uint8Array(),
      }),
    }),
  ),
  defect(
    'storage-url-permanent',
    'file-content.redirect.short-lived',
    'A storage URL stays valid.',
    () => {
      const known = new Map<string, Incoming>();
      return {
        async storage(request, next) {
          const response = await next(request);
          if (isSuccess(response)) known.set(request.url, response);
          return known.get(request.url) ?? response;
        },
      };
    },
  ),
  ...Object.entries({
    'run-input': 'file.purpose.run-input-expires',
    'builder-attachment': 'file.purpose.builder-attachment-expires',
  }).flatMap(([purpose, breaks]) => [
    defect(
      `${purpose}-never-expires`,
      breaks,
      `The metadata of a file of purpose ${purpose} stay after a day.`,
      kept(FILE, (file) => file['purpose'] === purpose),
    ),
    defect(
      `${purpose}-content-stays`,
      breaks,
      `The content of a file of purpose ${purpose} stays after a day.`,
      always(async ({ operationId, request, next, memory }) => {
        const response = await next(request);
        const id = segment(request.url, 'files');
        if (operationId === FILE && fieldsOf(response)['purpose'] === purpose) memory.set(id, true);
        return operationId === CONTENT && response.status === 404 && memory.get(id) === true
          ? { status: 200, headers: [], bytes: Buffer.from('kept') }
          : response;
      }),
    ),
  ]),
  defect(
    'temporary-expires-early',
    'limits.temporary-uploads',
    'Temporary files expire with the first hour.',
    expiring((file) => file['purpose'] != null),
  ),
  defect(
    'durable-expires',
    'file.purpose.durable-when-absent',
    'A file without a purpose expires.',
    expiring((file) => file['purpose'] == null),
  ),
];

function withBytesFrom(change: (bytes: Uint8Array) => Uint8Array, response: Incoming): Incoming {
  return isSuccess(response) ? withBytes(response, change(response.bytes)) : response;
}

/** Changes the bytes of downloads, from the API or from storage. */
function content(id: string, does: string, change: (bytes: Uint8Array) => Uint8Array): Defect {
  return defect(id, 'file-content.bytes', does, (knowledge) => {
    const storages = new Set<string>();
    return {
      async api(request, next) {
        const response = await next(request);
        if (knowledge.operationOf(request)?.operationId !== CONTENT) return response;
        const storage = redirectTarget(request.url, response);
        if (storage !== null) storages.add(storage);
        return withBytesFrom(change, response);
      },
      async storage(request, next) {
        const response = await next(request);
        return storages.has(request.url) ? withBytesFrom(change, response) : response;
      },
    };
  });
}

/** Repeats the first success of a file for as long as the run lasts. */
function kept(
  operation: string,
  isConcerned: (file: Readonly<Record<string, unknown>>) => boolean,
): Defect['open'] {
  const known = new WeakMap<object, Map<string, Incoming>>();
  return during(operation, async ({ request, next, memory }) => {
    const first = known.get(memory) ?? new Map<string, Incoming>();
    known.set(memory, first);
    const response = await next(request);
    if (isSuccess(response) && isConcerned(fieldsOf(response))) first.set(request.url, response);
    return isSuccess(response) ? response : (first.get(request.url) ?? response);
  });
}

/** Refuses the second and every later request for a file whose metadata were read before the clock was advanced. */
function expiring(
  isConcerned: (file: Readonly<Record<string, unknown>>) => boolean,
): Defect['open'] {
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

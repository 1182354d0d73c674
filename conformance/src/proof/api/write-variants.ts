import { headerValue, isRecord } from '../../http/message.ts';
import { jsonOf, refuse, respond, withBytes, withJson } from '../kit/message.ts';
import type { Variant } from '../kit/defect.ts';
import {
  always,
  asking,
  during,
  editing,
  fieldsOf,
  isFields,
  isSuccess,
  recordsIn,
  segment,
  textOf,
  variant,
} from './exchange.ts';

const UPDATE = 'updateDatasetReviewRequest';
const INBOX = 'listDatasetReviewRequests';
const MOVE = 'moveAutomation';
const RENAME = 'renameExpectedFile';
const DELETE = 'deleteInputFile';
const OPEN_STATUSES: ReadonlySet<string> = new Set(['draft', 'open', 'paused']);
const FIELDS = ['title', 'instructions', 'focusFields', 'ignoredFields', 'status'];

/** The counters that all items of a review request are in, one after the other. */
const DECISIONS = ['pending', 'approved', 'edited', 'removed'] as const;

/** Statuses of success of each operation whose success the contract leaves open. */
const SUCCESSES: Readonly<Record<string, readonly number[]>> = {
  [UPDATE]: [202, 207],
  [MOVE]: [202],
  [RENAME]: [202, 201],
  [DELETE]: [200, 202],
  clearRunReviews: [202],
  copyOutputToExpected: [201, 202],
  copyOutputToExpectedApp: [201],
  completeFileUpload: [201, 202],
  getRunUsage: [203],
  getFile: [203],
  getExperiment: [203],
  listTemplates: [203, 206],
  listAgents: [203],
};

/** Statuses of success and of refusals, and which updates, moves and renames are accepted. */
export const writeVariants: readonly Variant[] = [
  ...Object.entries(SUCCESSES).flatMap(([operation, statuses]) =>
    statuses.map((status) =>
      variant(
        `${operation}-${status}`,
        'status-code.success',
        `${operation} succeeds with ${status}.`,
        during(operation, async ({ request, next }) => {
          const response = await next(request);
          return isSuccess(response) ? { ...response, status } : response;
        }),
      ),
    ),
  ),
  ...Object.entries({
    'one-field': (body: object) => Object.keys(body).length > 0,
    title: (body: object) => 'title' in body,
    'every-field': (body: object) => FIELDS.every((name) => name in body),
  }).map(([word, isComplete]) =>
    variant(
      `update-requires-${word}`,
      'review-update.body.required',
      `An update requires ${word.replaceAll('-', ' ')}.`,
      during(UPDATE, ({ request, next }) =>
        isComplete(fieldsOf(request)) ? next(request) : refuse(400),
      ),
    ),
  ),
  variant(
    'null-clears-instructions',
    'review-update.body.null-instructions',
    'Null instructions clear the instructions.',
    asking(UPDATE, (request) => {
      const body = fieldsOf(request);
      return body['instructions'] === null
        ? withJson(request, { ...body, instructions: '' })
        : request;
    }),
  ),
  variant(
    'focus-reason-required',
    'review-update.body.null-instructions',
    'A focus field of an update requires a reason.',
    during(UPDATE, ({ request, next }) =>
      recordsIn(fieldsOf(request)['focusFields']).every(({ reason }) => reason != null)
        ? next(request)
        : refuse(400),
    ),
  ),
  variant(
    'unknown-body-member-400',
    'review-update.body.unknown-members',
    'An unknown field in the body of an update gets 400.',
    during(UPDATE, ({ request, next }) =>
      Object.keys(fieldsOf(request)).every((name) => FIELDS.includes(name))
        ? next(request)
        : refuse(400),
    ),
  ),
  ...[400, 403, 404, 422].map((status) =>
    refusing(`closed-${status}`, 'review-update.closed.status-code', UPDATE, 409, status),
  ),
  ...[404, 405, 409, 422].map((status) =>
    variant(
      `agent-move-${status}`,
      'automation-move.agent.status-code',
      `A move of an agent gets ${status}.`,
      during(MOVE, ({ request, next }) =>
        segment(request.url, 'automations').startsWith('agent') ? refuse(status) : next(request),
      ),
    ),
  ),
  ...[400, 409, 422].map((status) =>
    variant(
      `unknown-folder-${status}`,
      'automation-move.folder-id.unknown',
      `A move to an unknown folder gets ${status}.`,
      during(MOVE, async ({ request, next }) => {
        const response = await next(request);
        if (response.status !== 404 || typeof fieldsOf(request)['folderId'] !== 'string') {
          return response;
        }
        const toRoot = await next(withJson(request, { folderId: null }));
        return isSuccess(toRoot) ? refuse(status) : response;
      }),
      status === 400 ? ['api.automation-move.folder-id-invalid-beside-path'] : [],
    ),
  ),
  variant(
    'any-folder-id-valid',
    'automation-move.folder-id.validity',
    'Any folderId that is not empty is valid.',
    during(MOVE, async ({ request, next }) => {
      const { folderId, folderPath } = fieldsOf(request);
      if (typeof folderId !== 'string' || folderId === '') return next(request);
      if (folderPath !== undefined) return next(withJson(request, { folderPath }));
      const response = await next(request);
      return response.status === 400 ? refuse(404) : response;
    }),
    ['api.automation-move.folder-id-invalid-beside-path'],
  ),
  variant(
    'empty-folder-id-is-none',
    'automation-move.folder-id.validity',
    'An empty folderId beside a folderPath counts as none.',
    asking(MOVE, (request) => {
      const { folderId, folderPath } = fieldsOf(request);
      return folderId === '' && folderPath !== undefined
        ? withJson(request, { folderPath })
        : request;
    }),
  ),
  variant(
    'folder-id-must-exist-beside-path',
    'automation-move.folder-id.validity',
    'A folderId beside a folderPath must be the id of a folder.',
    during(MOVE, async ({ request, next }) => {
      const { folderId, folderPath } = fieldsOf(request);
      if (typeof folderId !== 'string' || folderPath === undefined) return next(request);
      const alone = await next(withJson(request, { folderId }));
      return isSuccess(alone) ? next(request) : alone;
    }),
  ),
  variant(
    'move-without-target-to-root',
    'automation-move.no-field',
    'A move without a target leads to the root.',
    during(MOVE, ({ request, next }) => {
      const isObject = isFields(jsonOf(request));
      const root = withJson(request, { folderId: null });
      return isObject && isFieldless(fieldsOf(request)) ? next(root) : next(request);
    }),
  ),
  variant(
    'folder-path-with-leading-slash',
    'automation-move.folder-path.spelling',
    'folderPath of a response begins with a slash.',
    editing(MOVE, (moved) => {
      if (typeof moved['folderPath'] === 'string') moved['folderPath'] = `/${moved['folderPath']}`;
    }),
  ),
  variant(
    'folder-path-without-empty-parts',
    'automation-move.folder-path.spelling',
    'A folderPath with an empty part gets 400.',
    during(MOVE, ({ request, next }) =>
      textOf(fieldsOf(request)['folderPath']).includes('//') ? refuse(400) : next(request),
    ),
  ),
  variant(
    'folder-path-of-two-parts',
    'automation-move.folder-path.spelling',
    'A folderPath of more than two parts gets 400.',
    during(MOVE, ({ request, next }) =>
      textOf(fieldsOf(request)['folderPath']).split('/').length > 2 ? refuse(400) : next(request),
    ),
  ),
  variant(
    'folders-deleted-when-empty',
    'automation-move.folders-left-empty',
    'A folder is deleted with its last workflow.',
    foldersDeletedWhenEmpty(),
  ),
  refusing('rename-conflict-422', 'expected-rename.target-exists', RENAME, 409, 422),
  variant(
    'rename-keeps-basename',
    'expected-rename.target-exists',
    'Of a newFilename with slashes, the last part is the new name.',
    asking(RENAME, (request) => {
      const name = textOf(fieldsOf(request)['newFilename']);
      const [last = ''] = name.split('/').slice(-1);
      return name.includes('/') ? withJson(request, { newFilename: last }) : request;
    }),
  ),
  variant(
    'rename-to-nothing-200',
    'expected-rename.target-exists',
    'An empty newFilename gets 200 and keeps the name.',
    during(RENAME, ({ request, next }) =>
      fieldsOf(request)['newFilename'] === ''
        ? respond(200, { ok: true, filename: 'kept', path: 'kept' })
        : next(request),
    ),
  ),
  ...Object.entries({ ok: { ok: true }, empty: {}, path: { path: 'scans/page-1.png' } }).map(
    ([word, body]) =>
      variant(
        `delete-responds-${word}`,
        'input-delete.response-body',
        `The response to a delete has a body (${word}).`,
        during(DELETE, async ({ request, next }) => {
          const response = await next(request);
          return isSuccess(response) ? respond(200, body) : response;
        }),
      ),
  ),
  variant(
    'delete-again-204',
    'input-delete.repeated',
    'A second delete of a file gets 204.',
    during(DELETE, async ({ request, next, memory }) => {
      if (memory.get(request.url) === true) return respond(204);
      const response = await next(request);
      if (isSuccess(response)) memory.set(request.url, true);
      return response;
    }),
  ),
  ...Object.entries({
    'closing-only': (from: unknown, to: unknown) => to === from,
    'draft-to-open-only': (from: unknown, to: unknown) =>
      to === from || (from === 'draft' && to === 'open'),
    'never-back-to-draft': (from: unknown, to: unknown) => to === from || to !== 'draft',
  }).map(([word, isAllowed]) =>
    variant(
      `review-status-${word}`,
      'states.review.other-transitions',
      `Transitions of review requests: ${word.replaceAll('-', ' ')}.`,
      during(UPDATE, async (call) => {
        const { status, title } = fieldsOf(call.request);
        if (!OPEN_STATUSES.has(textOf(status))) return call.next(call.request);
        const now = fieldsOf(await call.next(withJson(call.request, { title })))['status'];
        return now === undefined || isAllowed(now, status) ? call.next(call.request) : refuse(409);
      }),
    ),
  ),
  variant(
    'items-decided-meanwhile',
    'states.item.transitions',
    'A reviewer decides between any two requests.',
    always(async ({ operationId, request, next, memory }) => {
      const response = await next(request);
      if (operationId !== INBOX || !isSuccess(response)) return response;
      // Each check that updates has a key of its own, so no other check shifts its turns.
      const turns = `turns of ${headerValue(request.headers, 'authorization')}`;
      const turn = Number(memory.get(turns) ?? 0) + 1;
      memory.set(turns, turn);
      const page = fieldsOf(response);
      for (const entry of recordsIn(page['data'])) {
        const { progress } = entry;
        if (!isRecord(progress) || Number(progress['total']) === 0) continue;
        const total = Number(progress['total']);
        const counters = { total, pending: 0, approved: 0, edited: 0, removed: 0 };
        counters[DECISIONS[turn % DECISIONS.length] ?? 'pending'] = total;
        const { pending } = counters;
        entry['progress'] = { ...counters, remaining: pending, complete: pending === 0 };
      }
      return withJson(response, page);
    }),
    ['api.review-update.progress-arithmetic'],
  ),
  variant(
    'empty-requests-incomplete',
    'inbox.progress.empty-request',
    'A review request without examples is not complete.',
    editing([INBOX, UPDATE], (fields) => {
      for (const one of 'data' in fields ? recordsIn(fields['data']) : [fields]) {
        const { progress } = one;
        if (!isFields(progress) || one['status'] === 'open') continue;
        for (const name of Object.keys(progress)) progress[name] = 0;
        progress['complete'] = false;
      }
    }),
  ),
  variant(
    'total-counts-other-statuses',
    'inbox.progress.total',
    'total includes examples in a status without a counter, which are undecided.',
    editing([INBOX, UPDATE], (fields) => {
      for (const one of 'data' in fields ? recordsIn(fields['data']) : [fields]) {
        const { progress } = one;
        if (!isFields(progress)) continue;
        progress['total'] = Number(progress['total']) + 2;
        progress['complete'] = false;
      }
    }),
  ),
  variant(
    'closed-at-null',
    'inbox.closed-at',
    'closedAt is always null.',
    editing([INBOX, UPDATE], (fields) => {
      for (const one of 'data' in fields ? recordsIn(fields['data']) : [fields])
        one['closedAt'] = null;
    }),
  ),
  variant(
    'closed-at-later',
    'inbox.closed-at',
    'closedAt is set some time after closing.',
    editing(UPDATE, (fields) => (fields['closedAt'] = null)),
  ),
];

function refusing(id: string, takes: string, operation: string, from: number, to: number): Variant {
  return variant(
    id,
    takes,
    `${operation} responds ${to} where the reference server responds ${from}.`,
    during(operation, async ({ request, next }) => {
      const response = await next(request);
      return response.status === from
        ? withBytes({ ...response, status: to }, response.bytes)
        : response;
    }),
  );
}

function isFieldless(body: object): boolean {
  return !('folderId' in body) && !('folderPath' in body);
}

/** A folder that is made again has another id, and the old id is unknown. */
function foldersDeletedWhenEmpty(): Variant['open'] {
  return during(MOVE, async ({ request, next, memory }) => {
    const asked = textOf(fieldsOf(request)['folderId']);
    if (memory.get(`deleted ${asked}`) === true) return refuse(404, 'not_found');
    const real = textOf(memory.get(`real ${asked}`));
    const passed =
      real === '' ? request : withJson(request, { ...fieldsOf(request), folderId: real });
    const response = await next(passed);
    if (!isSuccess(response)) return response;
    const moved = fieldsOf(response);
    const workflow = `workflow ${textOf(moved['id'])}`;
    const left = textOf(memory.get(workflow));
    const entered = textOf(moved['folderId']);
    memory.set(workflow, entered);
    const others = [...memory].some(
      ([name, folder]) => name.startsWith('workflow ') && folder === left,
    );
    const shown = textOf(memory.get(`shown ${left}`)) || left;
    if (left !== '' && left !== entered && !others) {
      const renewed = `${left}${memory.size}`;
      memory
        .set(`deleted ${shown}`, true)
        .set(`shown ${left}`, renewed)
        .set(`real ${renewed}`, left);
    }
    const now = textOf(memory.get(`shown ${entered}`));
    return now === '' ? response : withJson(response, { ...moved, folderId: now });
  });
}

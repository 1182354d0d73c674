import { posix } from 'node:path';

import { headerValue, isRecord } from '@hookproof/conformance/hooks';
import {
  count,
  editResponse,
  fieldsOf,
  isFields,
  isSuccess,
  onCall,
  onRequest,
  onResponse,
  recordsIn,
  segment,
  textOf,
} from '@hookproof/conformance/proof/kit/api';
import { variant, variantsOf } from '@hookproof/conformance/proof/kit/defect';
import type { Open, Variant } from '@hookproof/conformance/proof/kit/defect';
import { refuse, respond, withJson } from '@hookproof/conformance/proof/kit/message';
import type { Fields } from '@hookproof/conformance/proof/kit/message';

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
      variant({
        id: `${operation}-${status}`,
        takes: 'status-code.success',
        at: operation,
        does: `${operation} succeeds with ${status}.`,
        api: onResponse(operation, (response) =>
          isSuccess(response) ? { ...response, status } : response,
        ),
      }),
    ),
  ),
  variant({
    id: 'update-requires-one-field',
    takes: 'review-update.body.required',
    does: 'An update requires one field.',
    api: requiring((body) => Object.keys(body).length > 0),
  }),
  variant({
    id: 'update-requires-title',
    takes: 'review-update.body.required',
    does: 'An update requires a title.',
    api: requiring((body) => 'title' in body),
  }),
  variant({
    id: 'update-requires-every-field',
    takes: 'review-update.body.required',
    does: 'An update requires every field.',
    api: requiring((body) => FIELDS.every((name) => name in body)),
    silences: ['api.review-update.partial', 'api.review-update.partial-status'],
  }),
  variant({
    id: 'focus-reason-required',
    takes: 'review-update.body.null-instructions',
    does: 'A focus field of an update requires a reason.',
    api: onRequest(UPDATE, (request) =>
      recordsIn(fieldsOf(request)['focusFields']).every(({ reason }) => reason != null)
        ? request
        : refuse(400),
    ),
  }),
  ...[400, 403, 404, 422].map((status) =>
    variant({
      id: `closed-${status}`,
      takes: 'review-update.closed.status-code',
      does: `An update of a closed request gets ${status}.`,
      api: refusedWith(UPDATE, 409, status),
    }),
  ),
  ...[404, 405, 409, 422].map((status) =>
    variant({
      id: `agent-move-${status}`,
      takes: 'automation-move.agent.status-code',
      does: `A move of an agent gets ${status}.`,
      api: onRequest(MOVE, (request) =>
        segment(request.url, 'automations').startsWith('agent') ? refuse(status) : request,
      ),
    }),
  ),
  ...[400, 409, 422].map((status) =>
    variant({
      id: `unknown-folder-${status}`,
      takes: 'automation-move.folder-id.unknown',
      does: `A move to an unknown folder gets ${status}.`,
      api: onCall(MOVE, async ({ request, next }) => {
        const response = await next(request);
        if (response.status !== 404 || typeof fieldsOf(request)['folderId'] !== 'string') {
          return response;
        }
        const toRoot = await next(withJson(request, { folderId: null }));
        return isSuccess(toRoot) ? refuse(status) : response;
      }),
      silences: status === 400 ? ['api.automation-move.folder-id-invalid-beside-path'] : [],
    }),
  ),
  variant({
    id: 'any-folder-id-valid',
    takes: 'automation-move.folder-id.validity',
    does: 'Any folderId that is not empty is valid.',
    api: onCall(MOVE, async ({ request, next }) => {
      const { folderId, folderPath } = fieldsOf(request);
      if (typeof folderId !== 'string' || folderId === '') return next(request);
      if (folderPath !== undefined) return next(withJson(request, { folderPath }));
      const response = await next(request);
      return response.status === 400 ? refuse(404) : response;
    }),
    silences: ['api.automation-move.folder-id-invalid-beside-path'],
  }),
  variant({
    id: 'empty-folder-id-is-none',
    takes: 'automation-move.folder-id.validity',
    does: 'An empty folderId beside a folderPath counts as none.',
    api: onRequest(MOVE, (request) => {
      const { folderId, folderPath } = fieldsOf(request);
      return folderId === '' && folderPath !== undefined
        ? withJson(request, { folderPath })
        : request;
    }),
  }),
  variant({
    id: 'folder-id-must-exist-beside-path',
    takes: 'automation-move.folder-id.validity',
    does: 'A folderId beside a folderPath must be the id of a folder.',
    api: onCall(MOVE, async ({ request, next }) => {
      const { folderId, folderPath } = fieldsOf(request);
      if (typeof folderId !== 'string' || folderPath === undefined) return next(request);
      const alone = await next(withJson(request, { folderId }));
      return isSuccess(alone) ? next(request) : alone;
    }),
  }),
  variant({
    id: 'folder-path-with-leading-slash',
    takes: 'automation-move.folder-path.spelling',
    does: 'folderPath of a response begins with a slash.',
    api: editResponse(MOVE, (moved) => {
      if (typeof moved['folderPath'] === 'string') moved['folderPath'] = `/${moved['folderPath']}`;
    }),
  }),
  ...variantsOf({
    takes: 'automation-move.folder-path.spelling',
    api: (isRefused: (path: string) => boolean) =>
      onRequest(MOVE, (request) =>
        isRefused(textOf(fieldsOf(request)['folderPath'])) ? refuse(400) : request,
      ),
    rows: {
      'folder-path-without-empty-parts': [
        'A folderPath with an empty part gets 400.',
        (path) => path.includes('//'),
      ],
      'folder-path-of-two-parts': [
        'A folderPath of more than two parts gets 400.',
        (path) => path.split('/').length > 2,
      ],
    },
  }),
  variant({
    id: 'new-folders-without-blanks',
    takes: 'automation-move.folder-path.spelling',
    does: 'A folderPath with a blank gets 400, unless it is the path of a known folder.',
    api: onCall(MOVE, async ({ request, next, memory }) => {
      const path = textOf(fieldsOf(request)['folderPath']);
      if (path.includes(' ') && !memory.has(path)) return refuse(400);
      const response = await next(request);
      memory.set(textOf(fieldsOf(response)['folderPath']), true);
      return response;
    }),
    silences: ['api.automation-move.folder-path-spelled'],
  }),
  variant({
    id: 'folders-deleted-when-empty',
    takes: 'automation-move.folders-left-empty',
    does: 'A folder is deleted with its last workflow.',
    api: foldersDeletedWhenEmpty(),
  }),
  variant({
    id: 'rename-conflict-422',
    takes: 'expected-rename.target-exists',
    does: 'A rename to the name of another file gets 422.',
    api: refusedWith(RENAME, 409, 422),
  }),
  variant({
    id: 'rename-keeps-basename',
    takes: 'expected-rename.target-exists',
    does: 'Of a newFilename with slashes, the last part is the new name.',
    api: onRequest(RENAME, (request) => {
      const name = textOf(fieldsOf(request)['newFilename']);
      const [last = ''] = name.split('/').slice(-1);
      return name.includes('/') ? withJson(request, { newFilename: last }) : request;
    }),
  }),
  variant({
    id: 'rename-refuses-other-extensions',
    takes: 'expected-rename.target-exists',
    does: 'A rename to a name with another extension, or in another case, gets 400.',
    api: onRequest(RENAME, (request) => {
      const name = textOf(fieldsOf(request)['newFilename']);
      const old = decodeURIComponent(posix.basename(new URL(request.url).pathname));
      const isOther = posix.extname(name) !== posix.extname(old);
      return name !== '' && (isOther || name.toLowerCase() === old.toLowerCase())
        ? refuse(400)
        : request;
    }),
  }),
  variant({
    id: 'rename-to-nothing-200',
    takes: 'expected-rename.target-exists',
    does: 'An empty newFilename gets 200 and keeps the name.',
    api: onRequest(RENAME, (request) =>
      fieldsOf(request)['newFilename'] === ''
        ? respond(200, { ok: true, filename: 'kept', path: 'kept' })
        : request,
    ),
  }),
  ...variantsOf({
    takes: 'input-delete.response-body',
    api: (body: object) =>
      onResponse(DELETE, (response) => (isSuccess(response) ? respond(200, body) : response)),
    rows: {
      'delete-responds-path': [
        'The response to a delete has the path of the file as its body.',
        { path: 'scans/page-1.png' },
      ],
    },
  }),
  ...variantsOf({
    takes: 'states.review.other-transitions',
    api: permitting,
    rows: {
      'review-status-closing-only': [
        'A review request can be closed, and change its status in no other way.',
        (from, to) => to === from,
      ],
      'review-status-draft-to-open-only': [
        'A draft can be opened, and no status of a review request changes otherwise.',
        (from, to) => to === from || (from === 'draft' && to === 'open'),
      ],
      'review-status-never-back-to-draft': [
        'A review request never becomes a draft again.',
        (from, to) => to === from || to !== 'draft',
      ],
    },
  }),
  variant({
    id: 'items-decided-meanwhile',
    takes: 'states.item.transitions',
    does: 'A reviewer decides between any two requests.',
    api: onResponse('every', (response, call) => {
      const { request, operationId } = call;
      if (operationId !== INBOX || !isSuccess(response)) return response;
      // Each check that updates has a key of its own, so no other check shifts its turns.
      const turn = count(call, `turns of ${headerValue(request.headers, 'authorization')}`);
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
    silences: ['api.review-update.progress-arithmetic'],
  }),
  variant({
    id: 'empty-requests-incomplete',
    takes: 'inbox.progress.empty-request',
    does: 'A review request without examples is not complete.',
    api: editReviews(({ progress, status }) => {
      if (!isFields(progress) || status === 'open') return;
      for (const name of Object.keys(progress)) progress[name] = 0;
      progress['complete'] = false;
    }),
  }),
  variant({
    id: 'total-counts-other-statuses',
    takes: 'inbox.progress.total',
    does: 'total includes examples in a status without a counter, and remaining does not.',
    api: editReviews(({ progress }) => {
      if (!isFields(progress)) return;
      progress['total'] = Number(progress['total']) + 2;
      progress['complete'] = false;
    }),
  }),
  variant({
    id: 'remaining-counts-other-statuses',
    takes: 'inbox.progress.total',
    does: 'total and remaining include examples in a status without a counter.',
    api: editReviews(({ progress }) => {
      if (!isFields(progress)) return;
      for (const name of ['total', 'remaining']) progress[name] = Number(progress[name]) + 2;
      progress['complete'] = false;
    }),
  }),
  variant({
    id: 'only-finished-requests-close',
    takes: 'states.review.close-condition',
    does: 'A review request with pending examples cannot be closed.',
    api: onCall(UPDATE, async (call) => {
      const { status, title } = fieldsOf(call.request);
      if (status !== 'closed') return call.next(call.request);
      const now = fieldsOf(await call.next(withJson(call.request, { title })));
      const { remaining } = isRecord(now['progress']) ? now['progress'] : {};
      return Number(remaining) > 0 ? refuse(409) : call.next(call.request);
    }),
    silences: [
      'close-draft',
      'close-open',
      'close-paused',
      'close-leaves-dataset',
      'partial-status',
    ].map((name) => `api.review-update.${name}`),
  }),
  variant({
    id: 'closed-at-shown-late',
    takes: 'inbox.closed-at',
    does: 'closedAt of a closed request is null at its first reading.',
    api: editResponse(INBOX, (page, { memory }) => {
      for (const entry of recordsIn(page['data'])) {
        const id = `closed ${textOf(entry['id'])}`;
        if (!memory.has(id)) entry['closedAt'] = null;
        memory.set(id, true);
      }
    }),
  }),
  variant({
    id: 'fields-of-reviews-in-another-order',
    takes: 'inbox.order',
    at: 'focusFields',
    does: 'focusFields and ignoredFields are in another order at every reading.',
    api: editResponse([INBOX, UPDATE], (fields, call) => {
      const isReversed = count(call) % 2 === 0;
      for (const one of 'data' in fields ? recordsIn(fields['data']) : [fields]) {
        for (const name of ['focusFields', 'ignoredFields']) {
          const values: unknown = one[name];
          if (Array.isArray(values) && isReversed) one[name] = values.toReversed();
        }
      }
    }),
  }),
  variant({
    id: 'closed-at-null',
    takes: 'inbox.closed-at',
    does: 'closedAt is always null.',
    api: editReviews((review) => (review['closedAt'] = null)),
  }),
  variant({
    id: 'closed-at-later',
    takes: 'inbox.closed-at',
    does: 'closedAt is set some time after closing.',
    api: editResponse(UPDATE, (fields) => (fields['closedAt'] = null)),
  }),
];

/** The refusal with another status. */
function refusedWith(operation: string, from: number, to: number): Open {
  return onResponse(operation, (response) =>
    response.status === from ? { ...response, status: to } : response,
  );
}

/** Changes each review request in a list, and the one of a response to an update. */
function editReviews(edit: (review: Fields) => unknown): Open {
  return editResponse([INBOX, UPDATE], (fields) =>
    ('data' in fields ? recordsIn(fields['data']) : [fields]).forEach(edit),
  );
}

function requiring(isComplete: (body: object) => boolean): Open {
  return onRequest(UPDATE, (request) => (isComplete(fieldsOf(request)) ? request : refuse(400)));
}

/** Refuses transitions between the open statuses of a review request. */
function permitting(isAllowed: (from: unknown, to: unknown) => boolean): Open {
  return onCall(UPDATE, async (call) => {
    const { status, title } = fieldsOf(call.request);
    if (!OPEN_STATUSES.has(textOf(status))) return call.next(call.request);
    const now = fieldsOf(await call.next(withJson(call.request, { title })))['status'];
    return now === undefined || isAllowed(now, status) ? call.next(call.request) : refuse(409);
  });
}

/** A folder that is made again has another id, and the old id is unknown. */
function foldersDeletedWhenEmpty(): Open {
  return onCall(MOVE, async ({ request, next, memory }) => {
    const asked = textOf(fieldsOf(request)['folderId']);
    if (memory.get(`deleted ${asked}`) === true) return refuse(404, 'not_found');
    const real = textOf(memory.get(`real ${asked}`));
    const passed =
      real === '' ? request : withJson(request, { ...fieldsOf(request), folderId: real });
    const response = await next(passed);
    // Another workflow, which has never moved, is in that folder.
    if (response.status === 409) memory.set(`workflow of ${asked}`, real || asked);
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

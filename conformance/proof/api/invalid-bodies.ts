import { isRecord } from '@hookproof/conformance/hooks';

import { fieldsOf, isSuccess, onRequest, onResponse } from '../kit/api.ts';
import { defect } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import { respond, withJson } from '../kit/message.ts';

const UPDATE = 'updateDatasetReviewRequest';
const MOVE = 'moveAutomation';
const RENAME = 'renameExpectedFile';
const COPY = 'copyOutputToExpected';
const TYPES = 'review-update.body.types';
const BOUNDS = 'review-update.body.focus-fields.bounds';
const STATUSES: ReadonlySet<unknown> = new Set(['draft', 'open', 'paused', 'closed']);

type Wrong = (value: unknown) => boolean;

const isNotAString: Wrong = (value) => typeof value !== 'string';
const hasItem =
  (isWrong: Wrong): Wrong =>
  (value) =>
    Array.isArray(value) && value.some(isWrong);
const hasField = (isWrong: (field: Readonly<Record<string, unknown>>) => boolean): Wrong =>
  hasItem((item) => isRecord(item) && isWrong(item));

/** Bodies that must be refused, and are accepted without the wrong field. */
export const invalidBodyDefects: readonly Defect[] = [
  defect({
    id: 'title-of-any-type',
    breaks: TYPES,
    does: 'An update accepts a title that is not a string.',
    api: ignoring(UPDATE, 'title', isNotAString),
  }),
  defect({
    id: 'any-review-status-accepted',
    breaks: 'review-update.body.status',
    does: 'An update accepts an unknown status.',
    api: ignoring(UPDATE, 'status', (value) => typeof value === 'string' && !STATUSES.has(value)),
  }),
  defect({
    id: 'focus-path-missing-accepted',
    breaks: 'review-update.body.focus-fields.shape',
    does: 'An update accepts a focus field without a path.',
    api: ignoring(
      UPDATE,
      'focusFields',
      hasField((field) => !('path' in field)),
    ),
  }),
  defect({
    id: 'focus-path-empty-accepted',
    breaks: BOUNDS,
    does: 'An update accepts an empty path.',
    api: ignoring(
      UPDATE,
      'focusFields',
      hasField(({ path }) => path === ''),
    ),
  }),
  ...(
    [
      ['ignored-fields', 'ignoredFields', 'An update ignores an empty list of ignored fields.'],
      ['focus-fields', 'focusFields', 'An update ignores an empty list of focus fields.'],
      ['instructions', 'instructions', 'An update ignores empty instructions.'],
    ] as const
  ).map(([name, field, does]) =>
    defect({
      id: `${name}-never-emptied`,
      breaks: `review-update.body.${name}`,
      does,
      api: ignoring(UPDATE, field, (value) =>
        isRecord(value) ? false : Object(value).length === 0,
      ),
    }),
  ),
  defect({
    id: 'folder-id-of-any-type',
    breaks: 'automation-move.body.types',
    does: 'A move accepts a folderId that is not a string.',
    api: ignoring(MOVE, 'folderId', (value) => value !== null && isNotAString(value), {
      folderId: null,
    }),
  }),
  defect({
    id: 'folder-path-of-any-type',
    breaks: 'automation-move.body.types',
    does: 'A move accepts a folderPath that is not a string.',
    api: ignoring(MOVE, 'folderPath', (value) => value !== null && isNotAString(value), {
      folderId: null,
    }),
  }),
  defect({
    id: 'new-filename-of-any-type',
    breaks: 'expected-rename.body',
    does: 'A rename accepts a newFilename that is not a string.',
    api: accepting(RENAME, 'newFilename', isNotAString, { ok: true, filename: '7', path: '7' }),
  }),
  defect({
    id: 'output-file-name-optional',
    breaks: 'feedback-copy.output-file-name.required',
    does: 'A copy accepts a body without outputFileName.',
    api: accepting(COPY, 'outputFileName', (value) => value === undefined, { name: 'nothing' }),
  }),
  defect({
    id: 'output-file-name-empty',
    breaks: 'feedback-copy.output-file-name.exists',
    does: 'A copy accepts an empty outputFileName.',
    api: accepting(COPY, 'outputFileName', (value) => value === '', { name: 'nothing' }),
  }),
  defect({
    id: 'expected-name-of-any-type',
    breaks: 'feedback-copy.expected-name.type',
    does: 'A copy accepts an expectedName that is not a string.',
    api: accepting(COPY, 'expectedName', (value) => value !== undefined && isNotAString(value), {
      name: 'nothing',
    }),
  }),
  defect({
    id: 'unknown-output-copied',
    breaks: 'feedback-copy.output-file-name.exists',
    does: 'The copy of an unknown output gets 200.',
    api: onResponse(COPY, (response, { request }) => {
      const { outputFileName } = fieldsOf(request);
      return isSuccess(response) || typeof outputFileName !== 'string'
        ? response
        : respond(200, { name: outputFileName });
    }),
  }),
];

/** Removes a wrong field, so that the target accepts the rest. */
function ignoring(operation: string, field: string, isWrong: Wrong, rest: object = {}): Open {
  return onRequest(operation, (request) => {
    const { [field]: value, ...others } = fieldsOf(request);
    const isConcerned = value !== undefined && isWrong(value);
    return isConcerned ? withJson(request, { ...rest, ...others }) : request;
  });
}

/** Responds with a success in place of the target. */
function accepting(operation: string, field: string, isWrong: Wrong, json: object): Open {
  return onRequest(operation, (request) =>
    isWrong(fieldsOf(request)[field]) ? respond(200, json) : request,
  );
}

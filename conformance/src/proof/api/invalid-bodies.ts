import { isRecord } from '../../http/message.ts';
import type { Outgoing } from '../../http/message.ts';
import { respond, withJson } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import { asking, defect, during, fieldsOf, isSuccess } from './exchange.ts';

/** A field of a body that is not validated. */
interface Lax {
  readonly id: string;
  readonly breaks: string;
  readonly does: string;
  readonly field: string;
  readonly isWrong: (value: unknown) => boolean;
}

const STATUSES: ReadonlySet<unknown> = new Set(['draft', 'open', 'paused', 'closed']);

const isNoText = (value: unknown): boolean => typeof value !== 'string';
const isNoList = (value: unknown): boolean => !Array.isArray(value);
const hasItem =
  (isWrong: (item: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.some(isWrong);
const hasField = (isWrong: (field: Readonly<Record<string, unknown>>) => boolean) =>
  hasItem((item) => isRecord(item) && isWrong(item));

const TYPES = 'review-update.body.types';
const BOUNDS = 'review-update.body.focus-fields.bounds';

const UPDATE: readonly Lax[] = [
  lax('title-of-any-type', TYPES, 'title', 'a title that is not a string', isNoText),
  lax(
    'instructions-of-any-type',
    TYPES,
    'instructions',
    'instructions that are not a string',
    isNoText,
  ),
  lax(
    'focus-fields-of-any-type',
    TYPES,
    'focusFields',
    'focusFields that are not an array',
    isNoList,
  ),
  lax(
    'focus-field-of-any-type',
    TYPES,
    'focusFields',
    'a focus field that is not an object',
    hasItem((item) => !isRecord(item)),
  ),
  lax(
    'focus-path-of-any-type',
    TYPES,
    'focusFields',
    'a path that is not a string',
    hasField((item) => 'path' in item && isNoText(item['path'])),
  ),
  lax(
    'focus-reason-of-any-type',
    TYPES,
    'focusFields',
    'a reason that is not a string',
    hasField(({ reason }) => reason != null && isNoText(reason)),
  ),
  lax(
    'ignored-fields-of-any-type',
    TYPES,
    'ignoredFields',
    'ignoredFields that are not an array',
    isNoList,
  ),
  lax(
    'ignored-field-of-any-type',
    TYPES,
    'ignoredFields',
    'an ignored field that is not a string',
    hasItem(isNoText),
  ),
  lax('review-status-of-any-type', TYPES, 'status', 'a status that is not a string', isNoText),
  lax(
    'any-review-status-accepted',
    'review-update.body.status',
    'status',
    'an unknown status',
    (value) => typeof value === 'string' && !STATUSES.has(value),
  ),
  lax(
    'focus-path-missing-accepted',
    BOUNDS,
    'focusFields',
    'a focus field without a path',
    hasField((item) => !('path' in item)),
  ),
  lax(
    'focus-path-empty-accepted',
    BOUNDS,
    'focusFields',
    'an empty path',
    hasField(({ path }) => path === ''),
  ),
  lax(
    'focus-reason-empty-accepted',
    BOUNDS,
    'focusFields',
    'an empty reason',
    hasField(({ reason }) => reason === ''),
  ),
];

/** Bodies that must be refused, and are accepted without the wrong field. */
export const invalidBodyDefects: readonly Defect[] = [
  ...UPDATE.map((one) =>
    defect(
      one.id,
      one.breaks,
      one.does,
      asking('updateDatasetReviewRequest', (request) => repaired(request, one, {})),
    ),
  ),
  ...(['folderId', 'folderPath'] as const).map((field) => {
    const word = field === 'folderId' ? 'folder-id' : 'folder-path';
    const one = lax(
      `${word}-of-any-type`,
      `automation-move.${word}.type`,
      field,
      `a ${field} that is not a string`,
      (value) => value !== undefined && value !== null && isNoText(value),
    );
    return defect(
      one.id,
      one.breaks,
      one.does,
      asking('moveAutomation', (request) => repaired(request, one, { folderId: null })),
    );
  }),
  accepting(
    lax(
      'new-filename-of-any-type',
      'expected-rename.body',
      'newFilename',
      'a newFilename that is not a string',
      isNoText,
    ),
    'renameExpectedFile',
    { ok: true, filename: '7', path: '7' },
  ),
  accepting(
    lax(
      'output-file-name-optional',
      'feedback-copy.output-file-name.required',
      'outputFileName',
      'no outputFileName',
      (value) => value === undefined,
    ),
    'copyOutputToExpected',
    { name: 'nothing' },
  ),
  accepting(
    lax(
      'output-file-name-of-any-type',
      'feedback-copy.output-file-name.required',
      'outputFileName',
      'an outputFileName that is not a string',
      (value) => value !== undefined && isNoText(value),
    ),
    'copyOutputToExpected',
    { name: 'nothing' },
  ),
  accepting(
    lax(
      'output-file-name-empty',
      'feedback-copy.output-file-name.exists',
      'outputFileName',
      'an empty outputFileName',
      (value) => value === '',
    ),
    'copyOutputToExpected',
    { name: 'nothing' },
  ),
  accepting(
    lax(
      'expected-name-of-any-type',
      'feedback-copy.expected-name.type',
      'expectedName',
      'an expectedName that is not a string',
      (value) => value !== undefined && isNoText(value),
    ),
    'copyOutputToExpected',
    { name: 'nothing' },
  ),
  defect(
    'unknown-output-copied',
    'feedback-copy.output-file-name.exists',
    'The copy of an unknown output gets 200.',
    during('copyOutputToExpected', async ({ request, next }) => {
      const response = await next(request);
      return isSuccess(response) || typeof fieldsOf(request)['outputFileName'] !== 'string'
        ? response
        : respond(200, { name: fieldsOf(request)['outputFileName'] });
    }),
  ),
];

function lax(
  id: string,
  breaks: string,
  field: string,
  what: string,
  isWrong: Lax['isWrong'],
): Lax {
  return { id, breaks, field, isWrong, does: `A body with ${what} is accepted.` };
}

/** Removes a wrong field, so that the target accepts the rest. */
function repaired(request: Outgoing, { field, isWrong }: Lax, rest: object): Outgoing {
  const { [field]: value, ...others } = fieldsOf(request);
  const given = value !== undefined && isWrong(value);
  return given ? withJson(request, { ...rest, ...others }) : request;
}

/** Responds with a success in place of the target. */
function accepting(one: Lax, operation: string, json: object): Defect {
  return defect(
    one.id,
    one.breaks,
    one.does,
    during(operation, ({ request, next }) =>
      one.isWrong(fieldsOf(request)[one.field]) ? respond(200, json) : next(request),
    ),
  );
}

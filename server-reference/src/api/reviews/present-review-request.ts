import { isDeepStrictEqual } from 'node:util';

import type {
  DatasetReviewRequest,
  DatasetReviewRequestDetail,
  ReviewProgress,
  ReviewProgressDetail,
} from '@hookproof/spec';

import type { ExampleRecord, ReviewItemRecord, ReviewRequestRecord } from '../../store/datasets.ts';
import type { AutomationId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReadonlyState } from '../../store/state.ts';
import { findExampleNamed } from '../datasets/examples.ts';

/** Counts the items of a review by status, in the form of lists. */
function reviewProgress(items: readonly DeepReadonly<ReviewItemRecord>[]): ReviewProgress {
  const count = (status: ReviewItemRecord['status']): number =>
    items.filter((item) => item.status === status).length;
  const pending = count('pending');
  return {
    total: items.length,
    pending,
    approved: count('approved'),
    edited: count('edited'),
    removed: count('removed'),
    remaining: pending,
    complete: pending === 0,
  };
}

/** Counts the items of a review in the form of the update, which calls `removed` `rejected`. */
function reviewProgressDetail(
  items: readonly DeepReadonly<ReviewItemRecord>[],
): ReviewProgressDetail {
  const { removed, ...progress } = reviewProgress(items);
  return { ...progress, rejected: removed };
}

/** Returns a review request as the inbox shows it. */
export function presentInboxItem(
  review: DeepReadonly<ReviewRequestRecord>,
  state: ReadonlyState,
): DeepReadonly<DatasetReviewRequest> {
  const { tenantId: _tenantId, items, events: _events, ...fields } = review;
  return {
    ...fields,
    exampleNames: items.map((item) => item.exampleName),
    progress: reviewProgress(items),
    automationName: state.automations.get(review.automationId)?.name ?? '',
  };
}

/** Returns a review request as the response to an update shows it. */
export function presentDetail(
  review: DeepReadonly<ReviewRequestRecord>,
  state: ReadonlyState,
): DeepReadonly<DatasetReviewRequestDetail> {
  const { tenantId: _tenantId, ...fields } = review;
  return {
    ...fields,
    items: review.items.map((item) =>
      Object.assign({}, item, {
        inputDrifted: hasInputDrifted(state, review.automationId, item),
      }),
    ),
    // A copy, because the history may grow before the response is sent.
    events: [...review.events],
    exampleNames: review.items.map((item) => item.exampleName),
    progress: reviewProgressDetail(review.items),
  };
}

/** Returns whether the input of an example differs from its snapshot in a review item, or the example is gone. */
function hasInputDrifted(
  state: ReadonlyState,
  automationId: AutomationId,
  { exampleName, snapshotInputJson, snapshotManifest }: DeepReadonly<ReviewItemRecord>,
): boolean {
  const example = findExampleNamed(state, automationId, exampleName);
  if (example === undefined) return true;
  if (!hasSameFiles(example, snapshotManifest.inputFileHashes)) return true;
  const { inputJson } = example;
  return inputJson !== null && !isDeepStrictEqual(namesOfFiles(inputJson), snapshotInputJson);
}

function hasSameFiles(
  { input }: DeepReadonly<ExampleRecord>,
  hashes: readonly { readonly path: string; readonly sha256: string }[],
): boolean {
  const current = new Map(input.map(({ path, sha256 }) => [path, sha256]));
  return (
    current.size === hashes.length &&
    hashes.every(({ path, sha256 }) => current.get(path) === sha256)
  );
}

const REFERENCE = '$file';
const FOLDER = 'input/';

/** A snapshot names a file where the input of the example refers to it. */
function namesOfFiles(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map(namesOfFiles);
  const members = Object.entries(json);
  const [[name, value] = []] = members;
  if (members.length === 1 && name === REFERENCE && typeof value === 'string') {
    return value.startsWith(FOLDER) ? value.slice(FOLDER.length) : value;
  }
  return Object.fromEntries(members.map(([key, inner]) => [key, namesOfFiles(inner)]));
}

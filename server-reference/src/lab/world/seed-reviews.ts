import { hash } from 'node:crypto';

import type {
  ReviewEventRecord,
  ReviewItemRecord,
  ReviewItemStatus,
  ReviewRequestRecord,
} from '../../store/datasets.ts';
import type { AutomationId, ReviewRequestId } from '../../store/ids.ts';
import { storedFiles } from './assets.ts';
import type { SeedDataset, SeedExample, SeedReview } from './generated/seed-data.ts';
import { SEED_DATA } from './seed-data.ts';
import { idOf } from './seeding.ts';
import type { Ids, SeededTenant, Seeding } from './seeding.ts';

const HOURS_UNTIL_DECIDED = 4;
const HOURS_UNTIL_CLOSED = 6;

/** Adds review requests over the examples of datasets; returns their ids by title. */
export function seedReviews(
  seeding: Seeding,
  tenant: SeededTenant,
  automationIds: Ids<AutomationId>,
  reviews: readonly SeedReview[],
): Ids<ReviewRequestId> {
  const { state } = seeding;
  return new Map(
    reviews.map((review) => {
      const automationId = idOf(automationIds, review.automation);
      const record = reviewRequest(seeding, tenant, automationId, review);
      state.reviewRequests.add(record);
      return [review.title, record.id];
    }),
  );
}

function reviewRequest(
  seeding: Seeding,
  tenant: SeededTenant,
  automationId: AutomationId,
  review: SeedReview,
): ReviewRequestRecord {
  const { title, instructions, automation, status, createdHoursAgo } = review;
  const { focusFields, ignoredFields } = datasetOf(automation);
  const id = seeding.id('review_');
  const createdAt = seeding.hoursAgo(createdHoursAgo);
  const closedAt =
    status === 'closed' ? seeding.hoursAgo(createdHoursAgo - HOURS_UNTIL_CLOSED) : null;
  const items = reviewItems(seeding, tenant, id, review);
  return {
    id,
    tenantId: tenant.id,
    automationId,
    title,
    instructions: instructions ?? null,
    focusFields: structuredClone(focusFields),
    ignoredFields: [...ignoredFields],
    status,
    createdBy: review.createdBySystem === true ? null : tenant.userId,
    createdAt,
    closedAt,
    items,
    events: reviewEvents(seeding, tenant, { id, createdAt, closedAt, items }),
  };
}

function reviewItems(
  seeding: Seeding,
  tenant: SeededTenant,
  reviewId: ReviewRequestId,
  review: SeedReview,
): ReviewItemRecord[] {
  const createdAt = seeding.hoursAgo(review.createdHoursAgo);
  const decidedAt = seeding.hoursAgo(review.createdHoursAgo - HOURS_UNTIL_DECIDED);
  const { examples } = datasetOf(review.automation);
  return Object.entries(review.items).map(([name, status]) => {
    const example = examples.find((one) => one.name === name);
    if (example === undefined) throw new Error(`Seed data refers to an unknown example "${name}".`);
    const isPending = status === 'pending';
    return reviewItem(example, status, name === review.driftedExample, {
      id: seeding.id('ritem_'),
      reviewId,
      updatedBy: isPending ? tenant.userId : tenant.reviewer.id,
      updatedAt: isPending ? createdAt : decidedAt,
    });
  });
}

/** The example as the dataset has it. A drifted item has the hashes of other input files. */
function reviewItem(
  { name, input, expected, inputJson, expectedJson, correction }: SeedExample,
  status: ReviewItemStatus,
  isDrifted: boolean,
  decision: Pick<ReviewItemRecord, 'id' | 'reviewId' | 'updatedBy' | 'updatedAt'>,
): ReviewItemRecord {
  const { path, value } = correction;
  const isEdited = status === 'edited';
  return {
    ...decision,
    exampleName: name,
    snapshotInputJson: inputJson,
    snapshotExpectedJson: expectedJson,
    snapshotManifest: {
      expectedFiles: storedFiles(expected).map((file) => ({ name: file.path })),
      metadata: { files: Object.keys(input).length },
      inputFileHashes: storedFiles(input).map((file) => ({
        path: file.path,
        sha256: isDrifted ? hash('sha256', `former ${file.path}`) : file.sha256,
      })),
    },
    status,
    currentExpectedJson: isEdited ? withValue(expectedJson, path.split('.'), value) : expectedJson,
    fieldDecisions: isEdited ? { [path]: 'changed' } : {},
  };
}

/** Returns a copy of `json` in which the field at `path` has the value. */
function withValue(json: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const fields = Object.entries(typeof json === 'object' && json !== null ? json : {});
  return Object.fromEntries(
    fields.map(([key, old]) => [key, key === name ? withValue(old, rest, value) : old]),
  );
}

function reviewEvents(
  seeding: Seeding,
  tenant: SeededTenant,
  review: Pick<ReviewRequestRecord, 'id' | 'createdAt' | 'closedAt' | 'items'>,
): ReviewEventRecord[] {
  const { id, createdAt, closedAt, items } = review;
  const event = (action: string, at: string, item?: ReviewItemRecord): ReviewEventRecord => ({
    id: seeding.id('revent_'),
    reviewId: id,
    itemId: item?.id ?? '',
    actorUserId: action === 'created' ? tenant.userId : tenant.reviewer.id,
    action,
    diffSummary: action === 'edited' ? (item?.fieldDecisions ?? null) : null,
    createdAt: at,
  });
  const decided = items.filter(({ status }) => status !== 'pending');
  return [
    event('created', createdAt),
    ...decided.map((item) => event(item.status, item.updatedAt, item)),
    ...(closedAt === null ? [] : [event('closed', closedAt)]),
  ];
}

function datasetOf(automation: string): SeedDataset {
  const dataset = SEED_DATA.datasets[automation];
  if (dataset === undefined) throw new Error(`Seed data has no dataset "${automation}".`);
  return dataset;
}

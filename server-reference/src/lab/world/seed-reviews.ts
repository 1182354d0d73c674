import { createHash } from 'node:crypto';

import type {
  ReviewEventRecord,
  ReviewItemRecord,
  ReviewItemStatus,
  ReviewRequestRecord,
} from '../../platform/state/datasets.ts';
import { listNewestFirst } from '../../platform/store/records.ts';
import { storedFiles } from './assets/asset.ts';
import { DATASET_PLANS } from './dataset-plans.ts';
import type { ExamplePlan } from './example-plan.ts';
import type { ReviewPlan } from './review-plans.ts';
import type { SeededTenant } from './seed-tenant.ts';
import type { Seeding } from './seeding.ts';

/** Adds review requests, whose items tell of the datasets; returns their ids in the order of the plans. */
export function seedReviews(
  seeding: Seeding,
  tenant: SeededTenant,
  automationIds: ReadonlyMap<string, string>,
  plans: readonly ReviewPlan[],
): string[] {
  const { state } = seeding;
  return plans.map((plan) => {
    const slug = plan.automation ?? 'delivery-note-reader';
    const examples = DATASET_PLANS[slug] ?? [];
    const review = reviewRequest(seeding, tenant, automationIds.get(slug) ?? '', examples, plan);
    listNewestFirst(review, state.reviewRequests, state.listed.reviewRequests);
    return review.id;
  });
}

function reviewRequest(
  seeding: Seeding,
  tenant: SeededTenant,
  automationId: string,
  examples: readonly ExamplePlan[],
  plan: ReviewPlan,
): ReviewRequestRecord {
  const id = seeding.id('review_');
  const createdAt = seeding.hoursAgo(plan.createdHoursAgo);
  const decidedAt = seeding.hoursAgo(plan.createdHoursAgo - 4);
  const closedAt = plan.status === 'closed' ? seeding.hoursAgo(plan.createdHoursAgo - 6) : null;
  const items = Object.entries(plan.items).map(([name, status]) => {
    const example = examples.find((one) => one.name === name);
    if (example === undefined) throw new Error(`the seeded world has no example ${name}`);
    const isDrifted = name === plan.drifted;
    return reviewItem(example, status, isDrifted, {
      id: seeding.id('ritem_'),
      reviewId: id,
      updatedBy: status === 'pending' ? tenant.userId : tenant.reviewer.id,
      updatedAt: status === 'pending' ? createdAt : decidedAt,
    });
  });
  const event = (action: string, at: string, item?: ReviewItemRecord): ReviewEventRecord => ({
    id: seeding.id('revent_'),
    reviewId: id,
    itemId: item?.id ?? '',
    actorUserId: action === 'created' ? tenant.userId : tenant.reviewer.id,
    action,
    diffSummary: action === 'edited' ? (item?.fieldDecisions ?? null) : null,
    createdAt: at,
  });
  const wrongFields = new Set(examples.map(({ corrected }) => corrected.path));
  const [otherField = ''] = Object.keys(examples[0]?.expectedJson ?? {});
  return {
    id,
    tenantId: tenant.id,
    automationId,
    title: plan.title,
    instructions: plan.instructions ?? null,
    focusFields: [
      ...[...wrongFields].map((path) => ({ path, reason: 'Wrong more often than the rest' })),
      { path: otherField },
    ],
    ignoredFields: plan.automation === undefined ? ['internalReference'] : [],
    status: plan.status,
    createdBy: plan.bySystem === true ? null : tenant.userId,
    createdAt,
    closedAt,
    items,
    events: [
      event('created', createdAt),
      ...items
        .filter((item) => item.status !== 'pending')
        .map((item) => event(item.status, item.updatedAt, item)),
      ...(closedAt === null ? [] : [event('closed', closedAt)]),
    ],
  };
}

/** The example as it is in the dataset, save for the hashes of input that has changed since. */
function reviewItem(
  { name, input, expected, inputJson, expectedJson, corrected }: ExamplePlan,
  status: ReviewItemStatus,
  isDrifted: boolean,
  origin: Pick<ReviewItemRecord, 'id' | 'reviewId' | 'updatedBy' | 'updatedAt'>,
): ReviewItemRecord {
  const isEdited = status === 'edited';
  return {
    ...origin,
    exampleName: name,
    snapshotInputJson: inputJson,
    snapshotExpectedJson: expectedJson,
    snapshotManifest: {
      expectedFiles: storedFiles(expected).map(({ path }) => ({ name: path })),
      metadata: { files: Object.keys(input).length },
      inputFileHashes: storedFiles(input).map(({ path, sha256 }) => ({
        path,
        sha256: isDrifted ? createHash('sha256').update(`former ${path}`).digest('hex') : sha256,
      })),
    },
    status,
    currentExpectedJson: isEdited ? corrected.json : expectedJson,
    fieldDecisions: isEdited ? { [corrected.path]: 'changed' } : {},
    inputDrifted: isDrifted,
  };
}

import { createHash } from 'node:crypto';

import type { ReviewStatus } from '@hookproof/spec';

import type {
  ReviewEventRecord,
  ReviewItemRecord,
  ReviewItemStatus,
  ReviewRequestRecord,
} from '../state/review-request.ts';
import { listNewestFirst } from '../store/list-newest-first.ts';
import type { SeededTenant } from './seed-tenant.ts';
import type { Seeding } from './seeding.ts';

interface ReviewPlan {
  readonly title: string;
  readonly status: ReviewStatus;
  /** Of each item, in order. */
  readonly items: readonly ReviewItemStatus[];
  readonly createdHoursAgo: number;
  readonly instructions?: string;
}

/** Two were made at the same moment, so that the order by id shows. */
const REVIEWS: readonly ReviewPlan[] = [
  {
    title: 'Pallet counts of March',
    status: 'draft',
    items: ['pending', 'pending'],
    createdHoursAgo: 20,
  },
  {
    title: 'Carrier names after the merger',
    status: 'open',
    items: ['pending', 'approved', 'edited', 'removed'],
    createdHoursAgo: 44,
    instructions: 'Compare the carrier with the letterhead, not with the stamp.',
  },
  {
    title: 'Dates on hand-written notes',
    status: 'paused',
    items: ['approved', 'pending'],
    createdHoursAgo: 90,
  },
  {
    title: 'Totals of the first quarter',
    status: 'closed',
    items: ['approved', 'edited', 'approved'],
    createdHoursAgo: 300,
  },
  { title: 'Weights in pounds', status: 'open', items: ['pending'], createdHoursAgo: 12 },
  {
    title: 'Missing purchase orders',
    status: 'open',
    items: ['approved', 'approved'],
    createdHoursAgo: 30,
  },
  {
    title: 'Two-page notes',
    status: 'draft',
    items: ['pending', 'pending', 'pending'],
    createdHoursAgo: 60,
  },
  { title: 'Notes from the new scanner', status: 'draft', items: ['pending'], createdHoursAgo: 60 },
  {
    title: 'Dangerous goods',
    status: 'paused',
    items: ['edited', 'pending', 'pending'],
    createdHoursAgo: 120,
  },
  { title: 'Returned pallets', status: 'closed', items: ['removed'], createdHoursAgo: 400 },
  {
    title: 'Temperature records',
    status: 'closed',
    items: ['approved', 'pending'],
    createdHoursAgo: 500,
  },
  {
    title: 'Consignee addresses',
    status: 'open',
    items: ['edited', 'pending'],
    createdHoursAgo: 8,
  },
  { title: 'Stamps over text', status: 'paused', items: ['pending'], createdHoursAgo: 200 },
];

/** Adds the review requests of an automation; returns their ids in the order of the list above. */
export function seedReviews(
  seeding: Seeding,
  tenant: SeededTenant,
  automationId: string,
  count: number = REVIEWS.length,
): string[] {
  const { state } = seeding;
  return REVIEWS.slice(0, count).map((plan) => {
    const review = reviewRequest(seeding, tenant, automationId, plan);
    listNewestFirst(review, state.reviewRequests, state.listed.reviewRequests);
    return review.id;
  });
}

function reviewRequest(
  seeding: Seeding,
  tenant: SeededTenant,
  automationId: string,
  plan: ReviewPlan,
): ReviewRequestRecord {
  const id = seeding.id('review_');
  const createdAt = seeding.hoursAgo(plan.createdHoursAgo);
  const decidedAt = seeding.hoursAgo(plan.createdHoursAgo - 4);
  const closedAt = plan.status === 'closed' ? seeding.hoursAgo(plan.createdHoursAgo - 6) : null;
  const items = plan.items.map((status, index) =>
    reviewItem(seeding, id, tenant, index, status, status === 'pending' ? createdAt : decidedAt),
  );
  const event = (action: string, itemId: string, at: string): ReviewEventRecord => ({
    id: seeding.id('revent_'),
    reviewId: id,
    itemId,
    actorUserId: tenant.userId,
    action,
    diffSummary: null,
    createdAt: at,
  });
  return {
    id,
    tenantId: tenant.id,
    automationId,
    title: plan.title,
    instructions: plan.instructions ?? null,
    focusFields: [
      { path: 'pallets.count', reason: 'Hand-written on most notes' },
      { path: 'carrier' },
    ],
    ignoredFields: ['internalReference'],
    status: plan.status,
    createdBy: tenant.userId,
    createdAt,
    closedAt,
    items,
    events: [
      event('created', '', createdAt),
      ...items
        .filter((item) => item.status !== 'pending')
        .map((item) => event(item.status, item.id, item.updatedAt)),
      ...(closedAt === null ? [] : [event('closed', '', closedAt)]),
    ],
  };
}

function reviewItem(
  seeding: Seeding,
  reviewId: string,
  tenant: SeededTenant,
  index: number,
  status: ReviewItemStatus,
  updatedAt: string,
): ReviewItemRecord {
  const exampleName = `note-${String(index + 1).padStart(4, '0')}`;
  const expected = { carrier: 'Northway', pallets: { count: 12 + index } };
  const edited = { carrier: 'Northway', pallets: { count: 13 + index } };
  return {
    id: seeding.id('ritem_'),
    reviewId,
    exampleName,
    snapshotInputJson: { document: `${exampleName}.pdf` },
    snapshotExpectedJson: expected,
    snapshotManifest: {
      expectedFiles: [{ name: 'summary.xlsx' }],
      metadata: { source: 'scanner-2' },
      inputFileHashes: [
        {
          path: `${exampleName}.pdf`,
          sha256: createHash('sha256').update(exampleName).digest('hex'),
        },
      ],
    },
    status,
    currentExpectedJson: status === 'edited' ? edited : expected,
    fieldDecisions: status === 'edited' ? { 'pallets.count': 'changed' } : {},
    inputDrifted: false,
    updatedBy: tenant.userId,
    updatedAt,
  };
}

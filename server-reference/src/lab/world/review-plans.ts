import type { ReviewStatus } from '@hookproof/spec';

import type { ReviewItemStatus } from '../../platform/state/datasets.ts';

export interface ReviewPlan {
  readonly title: string;
  readonly status: ReviewStatus;
  /** Slug of the automation. Default: the delivery note reader. */
  readonly automation?: string;
  /** By the name of the example, in order. */
  readonly items: Readonly<Record<string, ReviewItemStatus>>;
  /** The example whose input has changed since the request was made. */
  readonly drifted?: string;
  readonly createdHoursAgo: number;
  /** No person has made it. */
  readonly bySystem?: true;
  readonly instructions?: string;
}

/** Two were made at the same moment, so that the order by id shows. The first four are fixtures. */
export const REVIEW_PLANS: readonly ReviewPlan[] = [
  {
    title: 'Pallet counts of March',
    status: 'draft',
    items: { 'northway-48213': 'pending', 'returned-pallets-0417': 'pending' },
    createdHoursAgo: 20,
  },
  {
    title: 'Carrier names after the merger',
    status: 'open',
    items: {
      'kestrel-9921': 'pending',
      'northway-48213': 'approved',
      'northway-48377 hand-written': 'edited',
      'Müller & Söhne 2217': 'removed',
    },
    drifted: 'kestrel-9921',
    createdHoursAgo: 44,
    instructions: 'Compare the carrier with the letterhead, not with the stamp.',
  },
  {
    title: 'Dates on hand-written notes',
    status: 'paused',
    items: { 'northway-48377 hand-written': 'approved', 'Müller & Söhne 2217': 'pending' },
    createdHoursAgo: 90,
  },
  {
    title: 'Totals of the first quarter',
    status: 'closed',
    items: {
      'northway-48213': 'approved',
      'kestrel-9921': 'edited',
      'temperature-log-7781': 'approved',
    },
    drifted: 'temperature-log-7781',
    createdHoursAgo: 300,
  },
  {
    title: 'Weights in pounds',
    status: 'open',
    items: { 'kestrel-9921': 'pending' },
    createdHoursAgo: 12,
  },
  {
    title: 'Missing purchase orders',
    status: 'open',
    automation: 'invoice-matcher',
    items: { 'no-purchase-order': 'approved', 'price-differs': 'approved' },
    createdHoursAgo: 30,
    instructions: 'An invoice without an order is not an error.',
  },
  {
    title: 'Notes with annexes',
    status: 'draft',
    items: {
      'northway-48377 hand-written': 'pending',
      'un1263-dangerous-goods': 'pending',
      'temperature-log-7781': 'pending',
    },
    createdHoursAgo: 60,
  },
  {
    title: 'Notes from the new scanner',
    status: 'draft',
    items: { 'northway-48377 hand-written': 'pending' },
    createdHoursAgo: 60,
    bySystem: true,
  },
  {
    title: 'Dangerous goods',
    status: 'paused',
    items: {
      'un1263-dangerous-goods': 'edited',
      'kestrel-9921': 'pending',
      'temperature-log-7781': 'pending',
    },
    createdHoursAgo: 120,
  },
  {
    title: 'Returned pallets',
    status: 'closed',
    items: { 'returned-pallets-0417': 'removed' },
    createdHoursAgo: 400,
  },
  {
    title: 'Surcharges in quotes',
    status: 'closed',
    automation: 'freight-quote',
    items: { 'surcharge-reefer': 'approved', 'gdańsk-malmö': 'pending' },
    createdHoursAgo: 500,
  },
  {
    title: 'Consignee addresses',
    status: 'open',
    items: { 'Müller & Söhne 2217': 'edited', 'kestrel-9921': 'pending' },
    createdHoursAgo: 8,
  },
  {
    title: 'Stamps over text',
    status: 'paused',
    items: { 'northway-48377 hand-written': 'pending' },
    createdHoursAgo: 200,
  },
];

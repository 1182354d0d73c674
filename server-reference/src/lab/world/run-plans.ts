import type { RunStatus } from '@hookproof/spec';

import type { RunOrigin } from '../../platform/state/runs.ts';
import { csv, json, text } from './assets/asset.ts';
import type { AssetsByPath } from './assets/asset.ts';
import { pdf } from './assets/pdf.ts';
import { MATCHES_CORRECTED, QUOTE_NOTE, ROWS_CONFIRMED } from './run-review-plans.ts';
import type { RunReviewPlan } from './run-review-plans.ts';

export interface RunPlan {
  /** Slug of the automation. */
  readonly automation: string;
  /** Every status that it has had, a step apart. */
  readonly statuses: readonly RunStatus[];
  readonly hoursAgo: number;
  /** Default: `api`. */
  readonly trigger?: 'manual' | 'email' | 'cron';
  /** Default: `top-level`. */
  readonly origin?: Exclude<RunOrigin, 'top-level'>;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly files?: AssetsByPath;
  readonly review?: RunReviewPlan;
}

const TO_THE_END: readonly RunStatus[] = ['pending', 'running', 'finalizing', 'completed'];
const AGENT_TO_THE_END: readonly RunStatus[] = ['created', ...TO_THE_END];
const FAILING: readonly RunStatus[] = ['pending', 'running', 'failed'];

const MATCHES = csv(
  ['invoice', 'order', 'difference'],
  ['INV-9031', 'PO-7001', 0],
  ['INV-9032', 'PO-7013', 35],
);
const ROWS = { rows: [{ carrier: 'Northway', pallets: 12 }] };
const STATEMENT = csv(
  ['date', 'amount', 'text'],
  ['2026-03-31', '-84.20', 'Toll'],
  ['2026-03-31', '1180.00', 'Freight 48213'],
);

/** The runs of a tenant; they sent no events, since they lie before the world. The first two are fixtures. */
export const RUN_PLANS: readonly RunPlan[] = [
  {
    automation: 'invoice-matcher',
    statuses: TO_THE_END,
    hoursAgo: 2,
    input: { invoices: ['INV-9031', 'INV-9032'] },
    output: {
      matched: 1,
      differing: ['INV-9032'],
      rows: [{ carrier: 'Northway', invoice: 'INV-9032', order: 'PO-7013', difference: 35 }],
    },
    files: {
      'matched-invoices.csv': MATCHES,
      'exceptions.txt': text('INV-9032: billed 35.00 above PO-7013.'),
    },
  },
  {
    automation: 'invoice-matcher',
    statuses: TO_THE_END,
    hoursAgo: 26,
    trigger: 'email',
    input: { invoices: ['INV-8990'] },
    output: { matched: 0, differing: ['INV-8990'], supplier: 'Ostrava Stel' },
    files: { 'matched-invoices.csv': MATCHES },
    review: MATCHES_CORRECTED,
  },
  { automation: 'invoice-matcher', statuses: FAILING, hoursAgo: 5 },
  {
    automation: 'invoice-matcher',
    statuses: ['pending', 'running', 'waiting'],
    hoursAgo: 8,
    trigger: 'email',
  },
  { automation: 'invoice-matcher', statuses: ['pending', 'cancelled'], hoursAgo: 11 },
  {
    automation: 'invoice-matcher',
    statuses: ['pending', 'rejected'],
    hoursAgo: 14,
    trigger: 'email',
  },
  {
    automation: 'invoice-matcher',
    statuses: ['pending'],
    hoursAgo: 0.2,
    input: { invoices: ['INV-9040'] },
  },
  {
    automation: 'delivery-note-reader',
    statuses: TO_THE_END,
    hoursAgo: 3,
    trigger: 'email',
    input: { document: 'note.pdf' },
    output: ROWS,
    files: { 'rows.csv': csv(['carrier', 'pallets'], ['Northway', 12]), 'rows.json': json(ROWS) },
    review: ROWS_CONFIRMED,
  },
  {
    automation: 'delivery-note-reader',
    statuses: TO_THE_END,
    hoursAgo: 30,
    trigger: 'manual',
    origin: 'evaluation',
    output: ROWS,
  },
  {
    automation: 'delivery-note-reader',
    statuses: FAILING,
    hoursAgo: 29.9,
    trigger: 'manual',
    origin: 'evaluation',
  },
  {
    automation: 'delivery-note-reader',
    statuses: TO_THE_END,
    hoursAgo: 7.5,
    origin: 'invoke-workflow',
    output: ROWS,
  },
  {
    automation: 'delivery-note-reader',
    statuses: ['pending', 'running'],
    hoursAgo: 0.1,
    trigger: 'email',
  },
  {
    automation: 'delivery-note-reader',
    statuses: ['pending', 'running', 'finalizing'],
    hoursAgo: 0.15,
    trigger: 'manual',
  },
  ...[6, 30, 54].map((hoursAgo): RunPlan => ({
    automation: 'bank-statement-import',
    statuses: TO_THE_END,
    hoursAgo,
    trigger: 'cron',
    output: { imported: 2 },
    files: { 'statement.csv': STATEMENT },
  })),
  { automation: 'bank-statement-import', statuses: FAILING, hoursAgo: 78, trigger: 'cron' },
  {
    automation: 'card-statement-import',
    statuses: ['pending', 'running', 'cancelled'],
    hoursAgo: 50,
    trigger: 'manual',
  },
  {
    automation: 'claim-intake',
    statuses: ['pending', 'running', 'waiting', 'running', 'waiting'],
    hoursAgo: 9,
    trigger: 'email',
  },
  {
    automation: 'customs-declaration',
    statuses: TO_THE_END,
    hoursAgo: 20,
    output: { form: 'declaration.pdf' },
    files: {
      'declaration.pdf': pdf('Customs declaration', 'Code 6907 21, ceramic tiles, 5480 kg'),
    },
  },
  {
    automation: 'freight-quote',
    statuses: AGENT_TO_THE_END,
    hoursAgo: 4,
    trigger: 'email',
    output: { price: { amount: 1180, currency: 'EUR' } },
    files: { 'quote.txt': text('Rotterdam to Milano, 14 pallets: 1180 EUR.') },
    review: QUOTE_NOTE,
  },
  { automation: 'freight-quote', statuses: ['created', 'pending', 'running'], hoursAgo: 0.12 },
  { automation: 'freight-quote', statuses: ['created'], hoursAgo: 0.02 },
  {
    automation: 'supplier-mail',
    statuses: ['created', 'rejected'],
    hoursAgo: 16,
    trigger: 'email',
  },
  {
    automation: 'claims-assistant',
    statuses: AGENT_TO_THE_END,
    hoursAgo: 40,
    origin: 'invoke-workflow',
    output: { missing: ['photo of the seal'] },
  },
];

/** The runs of the other tenant; the first is a fixture. */
export const OTHER_TENANT_RUN_PLANS: readonly RunPlan[] = [
  {
    automation: 'delivery-note-reader',
    statuses: TO_THE_END,
    hoursAgo: 2,
    output: ROWS,
    files: { 'rows.json': json(ROWS) },
  },
  { automation: 'claim-intake', statuses: ['pending', 'running'], hoursAgo: 0.3, trigger: 'email' },
];

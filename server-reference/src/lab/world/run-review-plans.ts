import { csv } from './assets/asset.ts';
import type { AssetsByPath } from './assets/asset.ts';

export interface RunReviewPlan {
  readonly verdict: 'correct' | 'incorrect' | 'partial';
  readonly note: string;
  /** Closed with this note; open without. */
  readonly closedNote?: string;
  readonly corrections: readonly {
    readonly kind: 'field' | 'file';
    readonly path: string;
    readonly label: string;
    readonly original?: unknown;
    readonly corrected?: unknown;
    /** Of a file: which of the corrected files it is about. */
    readonly artifact?: string;
  }[];
  readonly correctedOutput?: unknown;
  readonly expectedFiles: AssetsByPath;
}

export const MATCHES_CORRECTED: RunReviewPlan = {
  verdict: 'incorrect',
  note: 'The supplier is misspelt, so the order was not found.',
  corrections: [
    {
      kind: 'field',
      path: 'supplier',
      label: 'Supplier',
      original: 'Ostrava Stel',
      corrected: 'Ostrava Steel',
    },
    { kind: 'field', path: 'matched', label: 'Matched', original: 0, corrected: 1 },
    {
      kind: 'file',
      path: 'matched-invoices.csv',
      label: 'Matched invoices',
      artifact: 'corrected/matched-invoices.csv',
    },
  ],
  correctedOutput: { matched: 1, differing: [], supplier: 'Ostrava Steel' },
  expectedFiles: {
    'corrected/matched-invoices.csv': csv(
      ['invoice', 'order', 'difference'],
      ['INV-8990', 'PO-7001', 0],
    ),
  },
};

export const ROWS_CONFIRMED: RunReviewPlan = {
  verdict: 'correct',
  note: 'Compared with the paper.',
  closedNote: 'Nothing to do.',
  corrections: [],
  expectedFiles: {},
};

export const QUOTE_NOTE: RunReviewPlan = {
  verdict: 'partial',
  note: 'The lane is right, the diesel surcharge is missing.',
  closedNote: 'Rate sheet updated.',
  corrections: [
    { kind: 'field', path: 'price.amount', label: 'Price', original: 1180, corrected: 1241 },
  ],
  correctedOutput: { price: { amount: 1241, currency: 'EUR' } },
  expectedFiles: {},
};

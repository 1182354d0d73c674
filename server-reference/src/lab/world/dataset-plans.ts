import { DELIVERY_NOTE_EXAMPLES } from './delivery-note-examples.ts';
import type { ExamplePlan } from './example-plan.ts';
import { INVOICE_EXAMPLES } from './invoice-examples.ts';
import { QUOTE_EXAMPLES } from './quote-examples.ts';

/** The datasets by the slugs of their automations. */
export const DATASET_PLANS: Readonly<Record<string, readonly ExamplePlan[]>> = {
  'delivery-note-reader': DELIVERY_NOTE_EXAMPLES,
  'invoice-matcher': INVOICE_EXAMPLES,
  'freight-quote': QUOTE_EXAMPLES,
};

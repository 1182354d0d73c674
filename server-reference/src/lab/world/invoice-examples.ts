import { csv, json } from './assets/asset.ts';
import type { ExamplePlan } from './example-plan.ts';

const INVOICES = [
  { name: 'full-match', supplier: 'Ostrava Steel', order: 'PO-7001', ordered: 1240, billed: 1240 },
  { name: 'price-differs', supplier: 'Palletpool', order: 'PO-7013', ordered: 310, billed: 345 },
  { name: 'no-purchase-order', supplier: 'Quick Tyres', order: '', ordered: 0, billed: 89 },
];

/** The dataset of the invoice matcher. */
export const INVOICE_EXAMPLES: readonly ExamplePlan[] = INVOICES.map((invoice) => {
  const { name, supplier, order, ordered, billed } = invoice;
  const expectedJson = { supplier, order, difference: billed - ordered };
  return {
    name,
    input: {
      'invoice.csv': csv(['supplier', 'order', 'total'], [supplier, order, billed]),
      'orders/open.json': json(order === '' ? [] : [{ order, supplier, total: ordered }]),
    },
    expected: {
      'match.csv': csv(['supplier', 'order', 'difference'], [supplier, order, billed - ordered]),
    },
    inputJson: { invoice: 'invoice.csv' },
    expectedJson,
    corrected: { path: 'difference', json: { ...expectedJson, difference: 0 } },
  };
});

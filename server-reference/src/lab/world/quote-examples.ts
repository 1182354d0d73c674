import { json, text } from './assets/asset.ts';
import type { ExamplePlan } from './example-plan.ts';

const REQUESTS = [
  { name: 'rotterdam-milano', from: 'Rotterdam', to: 'Milano', pallets: 14, price: 1180 },
  { name: 'gdańsk-malmö', from: 'Gdańsk', to: 'Malmö', pallets: 6, price: 640 },
  { name: 'surcharge-reefer', from: 'Valencia', to: 'Antwerpen', pallets: 20, price: 2950 },
];

/** The dataset of the freight quote agent. */
export const QUOTE_EXAMPLES: readonly ExamplePlan[] = REQUESTS.map((request) => {
  const { name, from, to, pallets, price } = request;
  const expectedJson = { from, to, price: { amount: price, currency: 'EUR' } };
  return {
    name,
    input: {
      'request.txt': text(`Please quote ${pallets} pallets from ${from} to ${to}, next week.`),
    },
    expected: { 'quote.json': json(expectedJson) },
    inputJson: { message: 'request.txt' },
    expectedJson,
    corrected: {
      path: 'price.amount',
      json: { ...expectedJson, price: { amount: price + 120, currency: 'EUR' } },
    },
  };
});

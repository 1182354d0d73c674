import { expect, test } from 'vitest';

import type { ApiClient } from '@hookproof/conformance';

import { walkLists } from '../../../conformance/src/discover/walk-lists.ts';

/** A review request of a list. */
function review(id: string, automationId: string, instructions: string | null): object {
  return { id, automationId, status: 'open', instructions };
}

async function found(data: readonly object[]): Promise<Record<string, string>> {
  const sample = (): Promise<{ json: unknown }> => Promise.resolve({ json: { data, items: [] } });
  const api = { sample } as unknown as ApiClient;
  const facts = await walkLists(api, { app: false, otherTenant: false });
  return Object.fromEntries(Object.entries(facts).map(([name, { value }]) => [name, value]));
}

test('the open request is one whose texts can be changed and put back', async () => {
  const [without, other, usable] = [
    review('rev_1', 'wf_1', null),
    review('rev_2', 'wf_1', ''),
    review('rev_3', 'wf_2', 'Compare the totals.'),
  ];
  expect(await found([without, other, usable])).toMatchObject({
    reviewAutomationId: 'wf_2',
    openReviewId: 'rev_3',
  });
  expect(await found([without, other])).toMatchObject({
    reviewAutomationId: 'wf_1',
    openReviewId: 'rev_1',
  });
});

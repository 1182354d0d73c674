import type { ExampleRecord } from '../../platform/state/datasets.ts';
import { storedFiles } from './assets/asset.ts';
import { DATASET_PLANS } from './dataset-plans.ts';
import type { SeededTenant } from './seed-tenant.ts';
import type { Seeding } from './seeding.ts';

/**
 * Adds the datasets of a tenant.
 *
 * @param automationIds - by slug
 * @returns the ids of the examples by slug and name: `<slug>/<name>`
 */
export function seedDatasets(
  seeding: Seeding,
  tenant: SeededTenant,
  automationIds: ReadonlyMap<string, string>,
): Map<string, string> {
  const { state } = seeding;
  const ids = new Map<string, string>();
  for (const [slug, plans] of Object.entries(DATASET_PLANS)) {
    const automationId = automationIds.get(slug) ?? '';
    const examples = plans.map((plan, index): ExampleRecord => ({
      id: seeding.id('ex_'),
      tenantId: tenant.id,
      automationId,
      name: plan.name,
      createdAt: seeding.hoursAgo(900 - 24 * index),
      input: storedFiles(plan.input),
      expected: storedFiles(plan.expected),
    }));
    for (const example of examples) {
      state.examples[example.id] = example;
      ids.set(`${slug}/${example.name}`, example.id);
    }
    state.datasets[automationId] = examples
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .map(({ id }) => id);
  }
  return ids;
}

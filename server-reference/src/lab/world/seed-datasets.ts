import type { ExampleRecord } from '../../platform/state/datasets.ts';
import type { AutomationId, ExampleId, ExperimentId } from '../../platform/state/ids.ts';
import { storedFiles } from './assets.ts';
import { SEED_DATA } from './seed-data.ts';
import { idOf } from './seeding.ts';
import type { Ids, SeededTenant, Seeding } from './seeding.ts';

/** Adds the datasets of a tenant; returns the ids of the examples by `<slug of the automation>/<name>`. */
export function seedDatasets(
  seeding: Seeding,
  tenant: SeededTenant,
  automationIds: Ids<AutomationId>,
): Ids<ExampleId> {
  const { state } = seeding;
  const ids = new Map<string, ExampleId>();
  for (const [slug, dataset] of Object.entries(SEED_DATA.datasets)) {
    const automationId = idOf(automationIds, slug);
    const examples = dataset.examples.map((example): ExampleRecord => ({
      id: seeding.id('ex_'),
      tenantId: tenant.id,
      automationId,
      name: example.name,
      createdAt: seeding.hoursAgo(example.createdHoursAgo),
      input: storedFiles(example.input),
      expected: storedFiles(example.expected),
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

/** Adds the experiments of a tenant; returns their ids by name. */
export function seedExperiments(
  seeding: Seeding,
  tenant: SeededTenant,
  automationIds: Ids<AutomationId>,
): Ids<ExperimentId> {
  return new Map(
    SEED_DATA.experiments.map(({ name, automation, createdHoursAgo }) => {
      const id = seeding.id('exp_');
      seeding.state.experiments[id] = {
        id,
        tenantId: tenant.id,
        automationId: idOf(automationIds, automation),
        name,
        createdAt: seeding.hoursAgo(createdHoursAgo),
      };
      return [name, id];
    }),
  );
}

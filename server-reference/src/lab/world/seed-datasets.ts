import { addExample } from '../../api/datasets/examples.ts';
import type { AutomationId, ExampleId, ExperimentId } from '../../store/ids.ts';
import { storedFiles } from './assets.ts';
import type { SeedExample } from './generated/seed-data.ts';
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
    const { evaluators: config } = dataset;
    if (config !== undefined) {
      // JSON is YAML.
      const yaml = `${JSON.stringify(config, null, 2)}\n`;
      state.evaluators.add({ id: automationId, tenantId: tenant.id, yaml, config });
    }
    for (const example of dataset.examples) {
      const { name, createdHoursAgo, input, expected } = example;
      const { id } = addExample(state, {
        tenantId: tenant.id,
        automationId,
        name,
        createdAt: seeding.hoursAgo(createdHoursAgo),
        input: storedFiles(input),
        expected: storedFiles(expected),
        inputJson: withReferences(example),
        expectedJson: Object.keys(expected).length === 0 ? null : example.expectedJson,
      });
      ids.set(`${slug}/${name}`, id);
    }
  }
  return ids;
}

/** In the dataset, an input that is the name of a file refers to that file. */
function withReferences({ input, inputJson }: SeedExample): Record<string, unknown> {
  const refer = (value: unknown): unknown =>
    typeof value === 'string' && Object.hasOwn(input, value) ? { $file: `input/${value}` } : value;
  return Object.fromEntries(Object.entries(inputJson).map(([name, value]) => [name, refer(value)]));
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
      const automationId = idOf(automationIds, automation);
      const createdAt = seeding.hoursAgo(createdHoursAgo);
      seeding.state.experiments.add({
        id,
        tenantId: tenant.id,
        automationId,
        name,
        createdAt,
        version: seeding.state.automations.get(automationId)?.version ?? null,
        startedAt: createdAt,
        completedAt: createdAt,
        runCount: 0,
        completedCount: 0,
        passedCount: 0,
        failedCount: 0,
        scores: { sum: 0, count: 0 },
      });
      return [name, id];
    }),
  );
}

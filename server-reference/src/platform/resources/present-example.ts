import type { DatasetExample } from '@hookproof/spec';

import type { ExampleRecord } from '../state/datasets.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { AutomationRecord } from '../state/automations.ts';

/** Returns a dataset example as the API shows it. */
export function presentExample(
  { type: automationType }: Pick<AutomationRecord, 'type'>,
  example: DeepReadonly<ExampleRecord>,
): DeepReadonly<DatasetExample> {
  const { id, name, automationId, expected, createdAt, updatedAt } = example;
  return {
    id,
    name,
    automationId,
    automationType,
    input: example.inputJson,
    expected: example.expectedJson,
    expectedFiles: expected.map(({ path }) => ({ name: path })),
    metadata: example.metadata,
    annotation: example.annotation,
    rowOrder: example.rowOrder,
    overrides: example.overrides,
    latestRunId: example.latestRunId,
    createdAt,
    updatedAt,
  };
}

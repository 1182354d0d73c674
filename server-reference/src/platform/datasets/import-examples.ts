import type { DatasetImport, Issue } from '@hookproof/spec';

import type { AutomationRecord } from '../state/automations.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { State } from '../state/state.ts';
import { recordsOf } from '../state/table.ts';
import { addExample, isNameTaken } from './examples.ts';
import type { ImportedExample } from './import-archive.ts';

/** Adds imported examples to a dataset. Those whose name is taken are skipped, each with a warning. */
export function appendExamples(
  state: State,
  automation: DeepReadonly<AutomationRecord>,
  createdAt: string,
  examples: readonly ImportedExample[],
): DatasetImport {
  const skipped = new Set(examples.filter(({ name }) => isNameTaken(state, automation.id, name)));
  const added = examples.filter((one) => !skipped.has(one));
  addAll(state, automation, createdAt, added);
  return {
    mode: 'append',
    created: added.length,
    expectedSet: added.filter(hasExpected).length,
    skipped: skipped.size,
    issues: [...skipped].map(({ name }): Issue => ({
      field: `examples/${name}`,
      message: 'the dataset has an example with this name, so this one was skipped',
      code: 'example_name_conflict',
      severity: 'warning',
    })),
  };
}

/** Deletes a dataset and adds imported examples instead. */
export function replaceExamples(
  state: State,
  automation: DeepReadonly<AutomationRecord>,
  createdAt: string,
  examples: readonly ImportedExample[],
): DatasetImport {
  const gone = recordsOf([...state.datasets.of(automation.id)], state.examples);
  for (const { id } of gone) state.examples.delete(id);
  addAll(state, automation, createdAt, examples);
  return {
    mode: 'replace',
    created: examples.length,
    expectedSet: examples.filter(hasExpected).length,
    deleted: gone.length,
    filesDeleted: gone.reduce((sum, one) => sum + one.input.length + one.expected.length, 0),
  };
}

function addAll(
  state: State,
  { id: automationId, tenantId }: DeepReadonly<AutomationRecord>,
  createdAt: string,
  examples: readonly ImportedExample[],
): void {
  for (const example of examples) {
    addExample(state, { ...example, tenantId, automationId, createdAt });
  }
}

function hasExpected({ expected, expectedJson }: ImportedExample): boolean {
  return expectedJson !== null || expected.length > 0;
}

import type { Issue } from '@hookproof/spec';

import type { DatasetImport, DatasetImportForm } from '../../generated/companions.ts';
import { findAutomation } from '../../api/automations/automation.ts';
import { addFreeExample, examplesOf, takenNames } from '../../api/datasets/examples.ts';
import { foldName } from '../../api/files/artifact-path.ts';
import type { Handler, Services } from '../../api/services.ts';
import { isoTime } from '../../clock/clock.ts';
import type { AutomationRecord } from '../../store/automations.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { State } from '../../store/state.ts';
import { importArchive } from './import-archive.ts';
import type { ImportedExample } from './import-archive.ts';

/** Numbers can be longer in JSON than they were sent, such as `1e20`. */
const JSON_GROWTH = 8;

/** `POST /v1/automations/{id}/dataset/import`: adds the examples of an archive, all or none. */
export function importDataset(
  services: Services,
): Handler<unknown, unknown, Pick<DatasetImportForm, 'mode'>> {
  const { store, blobs, clock, settings } = services;
  const limits = {
    unpackedBytes: settings.uploadLimitBytes,
    jsonBytes: JSON_GROWTH * settings.bodyLimitBytes,
  };
  return async function handle({ key, path, form }): Promise<DeepReadonly<DatasetImport>> {
    if (form === null) throw new Error('The operation takes a form.');
    const id = path['id'] ?? '';
    findAutomation(store.state, key.tenantId, id);
    return form(async ({ texts: { mode }, files: [file] }) => {
      if (file === undefined) throw new Error('The schema requires the file.');
      return importArchive(blobs, file.bytes, limits, (examples) =>
        store.commit((state) => {
          const automation = findAutomation(state, key.tenantId, id);
          const createdAt = isoTime(clock.now());
          const change = mode === 'replace' ? replaceExamples : appendExamples;
          return change(state, automation, createdAt, examples);
        }),
      );
    });
  };
}

/** Adds imported examples to a dataset. Those whose name is taken are skipped, each with a warning. */
function appendExamples(
  state: State,
  automation: DeepReadonly<AutomationRecord>,
  createdAt: string,
  examples: readonly ImportedExample[],
): DatasetImport {
  const taken = takenNames(state, automation.id);
  const skipped = new Set(examples.filter(({ name }) => taken.has(foldName(name))));
  const added = examples.filter((example) => !skipped.has(example));
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
function replaceExamples(
  state: State,
  automation: DeepReadonly<AutomationRecord>,
  createdAt: string,
  examples: readonly ImportedExample[],
): DatasetImport {
  const gone = examplesOf(state, automation.id);
  for (const { id } of gone) state.examples.delete(id);
  addAll(state, automation, createdAt, examples);
  return {
    mode: 'replace',
    created: examples.length,
    expectedSet: examples.filter(hasExpected).length,
    deleted: gone.length,
    filesDeleted: gone.reduce(
      (sum, { input, expected }) => sum + input.length + expected.length,
      0,
    ),
  };
}

function addAll(
  state: State,
  { id: automationId, tenantId }: DeepReadonly<AutomationRecord>,
  createdAt: string,
  examples: readonly ImportedExample[],
): void {
  for (const example of examples) {
    addFreeExample(state, { ...example, tenantId, automationId, createdAt });
  }
}

function hasExpected({ expected, expectedJson }: ImportedExample): boolean {
  return expectedJson !== null || expected.length > 0;
}

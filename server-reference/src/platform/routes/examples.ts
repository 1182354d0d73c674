import type { DatasetExample, DatasetExampleList, DatasetExampleWrite } from '@hookproof/spec';

import { isoTime } from '../clock/clock.ts';
import { readExampleName } from '../datasets/artifact-path.ts';
import { addExample, freeExampleName, refuseTakenName } from '../datasets/examples.ts';
import { findAutomation, findExample } from '../resources/find.ts';
import { cutPage } from '../resources/lists.ts';
import type { Paging } from '../resources/lists.ts';
import { presentExample } from '../resources/present-example.ts';
import type { AutomationRecord } from '../state/automations.ts';
import type { ExampleRecord } from '../state/datasets.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { ReadonlyState } from '../state/state.ts';
import { recordsOf } from '../state/table.ts';
import { refuseFull } from '../store/room.ts';
import type { ApiRequest, Handler, Services } from './services.ts';

type Shown = DeepReadonly<DatasetExample>;

/** `GET …/examples`: the examples of a dataset, by `rowOrder` and then as created. */
export function listDatasetExamples({ store: { state } }: Services): Handler<Paging> {
  return async function handle({ key, path, query }): Promise<DeepReadonly<DatasetExampleList>> {
    const automation = findAutomation(state, key.tenantId, path['id'] ?? '');
    const page = cutPage(state.exampleRows.of(automation.id), query);
    const { entries, total, limit, offset } = page;
    const examples = recordsOf(entries, state.examples);
    return { data: examples.map((one) => presentExample(automation, one)), total, limit, offset };
  };
}

/** `GET …/examples/{exampleId}`: one example. */
export function getDatasetExample({ store: { state } }: Services): Handler {
  return async function handle(request): Promise<Shown> {
    const { automation, example } = findBoth(state, request);
    return presentExample(automation, example);
  };
}

/** `POST …/examples`: adds an example, under a free name if none is given. */
export function createDatasetExample({
  store,
  clock,
}: Services): Handler<unknown, DatasetExampleWrite> {
  return async function handle({
    key,
    path,
    body,
  }: ApiRequest<unknown, DatasetExampleWrite>): Promise<Shown> {
    refuseFull(store.state);
    const { name, ...members } = readMembers(body);
    return store.commit((state) => {
      const automation = findAutomation(state, key.tenantId, path['id'] ?? '');
      const { id: automationId, tenantId } = automation;
      const example = addExample(state, {
        tenantId,
        automationId,
        name: name ?? freeExampleName(state, automationId),
        createdAt: isoTime(clock.now()),
        input: [],
        expected: [],
        ...members,
      });
      return presentExample(automation, example);
    });
  };
}

/** `PATCH …/examples/{exampleId}`: changes the given members. */
export function updateDatasetExample({
  store,
  clock,
}: Services): Handler<unknown, DatasetExampleWrite> {
  return async function handle(request: ApiRequest<unknown, DatasetExampleWrite>): Promise<Shown> {
    refuseFull(store.state);
    const members = readMembers(request.body);
    return store.commit((state) => {
      const { automation, example } = findBoth(state, request);
      const { id, automationId } = example;
      if (members.name !== undefined) refuseTakenName(state, automationId, members.name, id);
      const changed = Object.assign(state.examples.edit(id), members);
      changed.updatedAt = isoTime(clock.now());
      return presentExample(automation, changed);
    });
  };
}

/** `DELETE …/examples/{exampleId}`: deletes an example. The bytes of its files go with the next sweep. */
export function deleteDatasetExample({ store }: Services): Handler {
  return async function handle(request): Promise<Shown> {
    return store.commit((state) => {
      const { automation, example } = findBoth(state, request);
      state.examples.delete(example.id);
      return presentExample(automation, example);
    });
  };
}

/** Returns the automation and the example that a path names; 404 without them. */
export function findBoth(
  state: ReadonlyState,
  { key, path }: Pick<ApiRequest, 'key' | 'path'>,
): { automation: DeepReadonly<AutomationRecord>; example: DeepReadonly<ExampleRecord> } {
  const automation = findAutomation(state, key.tenantId, path['id'] ?? '');
  return { automation, example: findExample(state, automation, path['exampleId'] ?? '') };
}

type Members = Partial<
  Pick<
    ExampleRecord,
    'name' | 'inputJson' | 'expectedJson' | 'metadata' | 'annotation' | 'rowOrder' | 'overrides'
  >
>;

/** Returns the given members. A null name counts as absent. */
function readMembers(body: DatasetExampleWrite): Members {
  const { name, input, expected, metadata, annotation, rowOrder, overrides } = body;
  return {
    ...(typeof name === 'string' ? { name: readExampleName(name, 'name') } : {}),
    ...(input === undefined ? {} : { inputJson: input }),
    ...(expected === undefined ? {} : { expectedJson: expected }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(annotation === undefined ? {} : { annotation }),
    ...(rowOrder === undefined ? {} : { rowOrder }),
    ...(overrides === undefined ? {} : { overrides }),
  };
}

import type {
  DatasetExample,
  DatasetExampleList,
  DatasetExampleWrite,
} from '../../generated/companions.ts';
import { findAutomation } from '../../api/automations/automation.ts';
import {
  addExample,
  examplesOf,
  findBoth,
  freeExampleName,
  inRowOrder,
  refuseTakenName,
} from '../../api/datasets/examples.ts';
import { readExampleName } from '../../api/files/artifact-path.ts';
import { cutPage } from '../../api/paging.ts';
import type { Paging } from '../../api/paging.ts';
import type { ApiRequest, Handler, Services } from '../../api/services.ts';
import { isoTime } from '../../clock/clock.ts';
import type { AutomationRecord } from '../../store/automations.ts';
import type { ExampleRecord } from '../../store/datasets.ts';
import type { DeepReadonly } from '../../store/read-only.ts';

type Shown = DeepReadonly<DatasetExample>;

/** `GET …/examples`: the examples of a dataset, by `rowOrder` and then as created. */
export function listDatasetExamples({ store: { state } }: Services): Handler<Paging> {
  return async function handle({ key, path, query }): Promise<DeepReadonly<DatasetExampleList>> {
    const automation = findAutomation(state, key.tenantId, path['id'] ?? '');
    const rows = inRowOrder(examplesOf(state, automation.id));
    const { entries, total, limit, offset } = cutPage(rows, query);
    return {
      data: entries.map((example) => presentExample(automation, example)),
      total,
      limit,
      offset,
    };
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

/** Returns a dataset example as the API shows it. */
function presentExample(
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

import { notFound, refusal } from '../../errors.ts';
import type { AutomationRecord } from '../../store/automations.ts';
import type { ExampleRecord } from '../../store/datasets.ts';
import type { AutomationId, ExampleId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { nextId } from '../../store/seed.ts';
import type { ReadonlyState, State } from '../../store/state.ts';
import { findAutomation } from '../automations/automation.ts';
import { foldName } from '../files/artifact-path.ts';
import type { ApiRequest } from '../services.ts';

/** Returns the automation and the example that a path names; 404 without them. */
export function findBoth(
  state: ReadonlyState,
  { key, path }: Pick<ApiRequest, 'key' | 'path'>,
): { automation: DeepReadonly<AutomationRecord>; example: DeepReadonly<ExampleRecord> } {
  const automation = findAutomation(state, key.tenantId, path['id'] ?? '');
  return { automation, example: findExample(state, automation, path['exampleId'] ?? '') };
}

/**
 * Returns the example of this automation with this id.
 *
 * @throws {ApiError} `not_found`, also for an example of another automation
 */
function findExample(
  state: Pick<ReadonlyState, 'examples'>,
  automation: DeepReadonly<AutomationRecord>,
  exampleId: string,
): DeepReadonly<ExampleRecord> {
  const example = state.examples.get(exampleId);
  if (example?.automationId !== automation.id) {
    throw notFound('exampleId', 'the automation has no dataset example with this id');
  }
  return example;
}

/** Returns the examples of an automation, in the order in which they were added. */
export function examplesOf(
  { examples }: Pick<ReadonlyState, 'examples'>,
  automationId: AutomationId,
): DeepReadonly<ExampleRecord>[] {
  return examples.filter((example) => example.automationId === automationId);
}

/** Returns examples in the order of the list: by `rowOrder`, those without one last, then as created. */
export function inRowOrder(
  examples: readonly DeepReadonly<ExampleRecord>[],
): DeepReadonly<ExampleRecord>[] {
  return examples.toSorted((a, b) => {
    const [one, other] = [a.rowOrder ?? Infinity, b.rowOrder ?? Infinity];
    return one === other ? a.number - b.number : one - other;
  });
}

/** Returns the example of an automation with exactly this name. */
export function findExampleNamed(
  { examples }: Pick<ReadonlyState, 'examples'>,
  automationId: AutomationId,
  name: string,
): DeepReadonly<ExampleRecord> | undefined {
  return examples.find((one) => one.automationId === automationId && one.name === name);
}

/** The members that a caller may leave out. Each is null by default. */
type Optional = 'inputJson' | 'expectedJson' | 'metadata' | 'annotation' | 'rowOrder' | 'overrides';

/** The parts of a new example. */
type NewExample = Omit<ExampleRecord, Optional | 'id' | 'number' | 'latestRunId' | 'updatedAt'> &
  Partial<Pick<ExampleRecord, Optional>>;

/**
 * Adds an example to the dataset of its automation.
 *
 * @throws {ApiError} `example_name_conflict`, see {@link refuseTakenName}
 */
export function addExample(state: State, parts: NewExample): ExampleRecord {
  refuseTakenName(state, parts.automationId, parts.name);
  return addFreeExample(state, parts);
}

/** Adds an example whose name no other example of the dataset has. */
export function addFreeExample(state: State, parts: NewExample): ExampleRecord {
  const example: ExampleRecord = {
    id: nextId(state, 'ex_'),
    inputJson: null,
    expectedJson: null,
    metadata: null,
    annotation: null,
    rowOrder: null,
    overrides: null,
    ...parts,
    number: state.ids.drawn,
    latestRunId: null,
    updatedAt: null,
  };
  state.examples.add(example);
  return example;
}

/** Returns the names of a dataset, folded by {@link foldName}. */
function takenNames(
  state: ReadonlyState,
  automationId: AutomationId,
  except?: ExampleId,
): Set<string> {
  const others = examplesOf(state, automationId).filter(({ id }) => id !== except);
  return new Set(others.map(({ name }) => foldName(name)));
}

/**
 * Refuses a name that another example of the dataset has. Names that differ only in case are the same, because
 * an archive of both could not be unpacked everywhere.
 *
 * @throws {ApiError} `example_name_conflict`
 */
export function refuseTakenName(
  state: ReadonlyState,
  automationId: AutomationId,
  name: string,
  except?: ExampleId,
): void {
  if (!takenNames(state, automationId, except).has(foldName(name))) return;
  const message = 'must be unique in the dataset; another example has this name';
  throw refusal('example_name_conflict', 'name', message, {
    hint: 'Names that differ only in case count as equal.',
  });
}

/** Returns a name that no example of the dataset has. */
export function freeExampleName(state: ReadonlyState, automationId: AutomationId): string {
  const taken = takenNames(state, automationId);
  let number = examplesOf(state, automationId).length + 1;
  while (taken.has(`example-${number}`)) number += 1;
  return `example-${number}`;
}

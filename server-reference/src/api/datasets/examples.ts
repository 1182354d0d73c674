import { DomainError, notFound } from '../../domain-error.ts';
import type { AutomationRecord } from '../../store/automations.ts';
import type { ExampleRecord } from '../../store/datasets.ts';
import { exampleNameKey } from '../../store/example-order.ts';
import type { AutomationId, ExampleId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { nextId } from '../../store/seed.ts';
import type { ReadonlyState, State } from '../../store/state.ts';
import { findAutomation } from '../automations/automation.ts';
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
 * @throws {DomainError} `not_found`, also for an example of another automation
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

/** Returns the example of an automation with exactly this name. */
export function findExampleNamed(
  { datasets, examples }: Pick<ReadonlyState, 'datasets' | 'examples'>,
  automationId: AutomationId,
  name: string,
): DeepReadonly<ExampleRecord> | undefined {
  const ids = datasets.of(automationId);
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const example = examples.get(ids[middle] ?? '');
    if (example?.name === name) return example;
    if (example !== undefined && example.name < name) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

/** The members that a caller may leave out. Each is null by default. */
type Optional = 'inputJson' | 'expectedJson' | 'metadata' | 'annotation' | 'rowOrder' | 'overrides';

/** The parts of a new example. */
type NewExample = Omit<ExampleRecord, Optional | 'id' | 'number' | 'latestRunId' | 'updatedAt'> &
  Partial<Pick<ExampleRecord, Optional>>;

/**
 * Adds an example to the dataset of its automation.
 *
 * @throws {DomainError} `example_name_conflict`, see {@link refuseTakenName}
 */
export function addExample(state: State, parts: NewExample): ExampleRecord {
  refuseTakenName(state, parts.automationId, parts.name);
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

/** Returns whether the dataset has an example with this name, whatever the case of its letters. */
export function isNameTaken(
  { grouped }: ReadonlyState,
  automationId: AutomationId,
  name: string,
  except?: ExampleId,
): boolean {
  const owners = grouped.examplesByName.of(exampleNameKey(automationId, name));
  return [...owners].some((id) => id !== except);
}

/**
 * Refuses a name that another example of the dataset has. Names that differ only in case are the same, because
 * an archive of both could not be unpacked everywhere.
 *
 * @throws {DomainError} `example_name_conflict`
 */
export function refuseTakenName(
  state: ReadonlyState,
  automationId: AutomationId,
  name: string,
  except?: ExampleId,
): void {
  if (!isNameTaken(state, automationId, name, except)) return;
  const message = 'must be unique in the dataset; another example has this name';
  throw new DomainError('example_name_conflict', 'name', message, {
    hint: 'Names that differ only in case count as equal.',
  });
}

/** Returns a name that no example of the dataset has. */
export function freeExampleName(state: ReadonlyState, automationId: AutomationId): string {
  let number = state.datasets.of(automationId).length + 1;
  while (isNameTaken(state, automationId, `example-${number}`)) number += 1;
  return `example-${number}`;
}

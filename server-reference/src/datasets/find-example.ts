import { badRequest, notFound } from '../app/api-error.ts';
import type { AutomationRecord } from '../state/automation.ts';
import type { ExampleRecord } from '../state/example.ts';
import { find } from '../store/find.ts';
import { recordsOf } from '../store/records-of.ts';
import type { State } from '../store/state.ts';

/** The example of this automation with this id; one of another automation is as unknown as none: 404. */
export function findExample(
  state: State,
  automation: AutomationRecord,
  exampleId: string,
): ExampleRecord {
  const example = find(state.examples, exampleId);
  if (example?.automationId !== automation.id) {
    throw notFound('exampleId', 'the automation has no dataset example with this id');
  }
  return example;
}

/** Refuses a list of ids that has an empty item: 400, naming `exampleIds`. */
export function refuseEmptyIds(list: string | undefined): void {
  if (list === undefined || !list.split(',').includes('')) return;
  const hint = 'Separate ids by single commas, or leave the parameter out for the whole dataset.';
  throw badRequest('invalid_value', 'exampleIds', 'holds an empty id', hint);
}

/**
 * The examples of an automation by their names: all of them, or those with the ids of a list. The order
 * of the list counts for nothing, and an id that stands in it twice counts once.
 *
 * @param list - ids with commas between them
 * @throws {ApiError} 404 for an unknown id, naming `exampleIds`
 */
export function findExamples(
  state: State,
  automation: AutomationRecord,
  list: string | undefined,
): ExampleRecord[] {
  const dataset = recordsOf(find(state.datasets, automation.id) ?? [], state.examples);
  if (list === undefined) return dataset;
  const chosen = list.split(',');
  const known = new Set(dataset.map(({ id }) => id));
  const unknown = chosen.findIndex((id) => !known.has(id));
  if (unknown !== -1) {
    const message = `the automation has no dataset example with id number ${unknown + 1} of the list`;
    throw notFound('exampleIds', message);
  }
  return dataset.filter(({ id }) => chosen.includes(id));
}

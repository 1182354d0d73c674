import { ApiError, issue } from '../app/api-error.ts';
import type { ExampleRecord } from '../state/example.ts';
import { find } from '../store/find.ts';
import { nextId } from '../store/next-id.ts';
import { recordsOf } from '../store/records-of.ts';
import type { State } from '../store/state.ts';

/**
 * Adds an example to the dataset of its automation. Call it inside a commit.
 *
 * @throws {ApiError} 409 `example_name_conflict` when the dataset has one of that name
 */
export function addExample(state: State, parts: Omit<ExampleRecord, 'id'>): ExampleRecord {
  const dataset = recordsOf(find(state.datasets, parts.automationId) ?? [], state.examples);
  if (dataset.some(({ name }) => name === parts.name)) {
    const message = 'another example of the dataset has the name';
    throw new ApiError(409, [issue('example_name_conflict', 'name', message)]);
  }
  const example: ExampleRecord = { id: nextId(state, 'ex_'), ...parts };
  state.examples[example.id] = example;
  state.datasets[example.automationId] = [...dataset, example]
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ id }) => id);
  return example;
}

import { addExample } from '../datasets/examples.ts';
import { ApiError, issue } from '../http/api-error.ts';
import { findExampleNamed } from '../resources/find.ts';
import type { ExampleRecord } from '../state/datasets.ts';
import { valueOf } from '../state/large-value.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { RunRecord, RunReviewRecord } from '../state/runs.ts';
import type { State } from '../state/state.ts';
import { correctedOutput } from './corrected-output.ts';

/** The members of an example that come from a run. */
type FromRun = Pick<ExampleRecord, 'inputJson' | 'expectedJson' | 'input' | 'expected'>;

/**
 * Makes a dataset example of a run, or updates the example of its automation with this name.
 *
 * @throws {ApiError} 409 `run_not_completed`, or `example_name_conflict` for a name that differs from that of an
 * example only in case
 */
export function promoteRun(
  state: State,
  run: DeepReadonly<RunRecord>,
  name: string,
  at: string,
): DeepReadonly<ExampleRecord> {
  refuseUnfinished(run);
  const { tenantId, automationId } = run;
  const members = exampleMembers(run, state.runReviews.get(run.id));
  const former = findExampleNamed(state, automationId, name);
  if (former === undefined) {
    return addExample(state, { tenantId, automationId, name, createdAt: at, ...members });
  }
  return Object.assign(state.examples.edit(former.id), members, { updatedAt: at });
}

function exampleMembers(
  { input, inputFiles = [], output, outputFiles }: DeepReadonly<RunRecord>,
  reviewed: DeepReadonly<RunReviewRecord> | undefined,
): FromRun {
  const given = valueOf(input);
  const corrected = reviewed?.expectedFiles ?? [];
  return {
    inputJson: isRecord(given) ? given : null,
    expectedJson: correctedOutput(reviewed?.review, valueOf(output) ?? null),
    input: [...inputFiles],
    expected: [...(corrected.length > 0 ? corrected : outputFiles)],
  };
}

function refuseUnfinished({ status }: DeepReadonly<RunRecord>): void {
  if (status === 'completed') return;
  const message = `the run must be completed, got ${status}`;
  throw new ApiError(409, [issue('run_not_completed', 'id', message)], {
    hint: 'GET /v1/runs/{id} shows the status of the run.',
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import type { PromotedRun, RunPromotion } from '../../generated/companions.ts';
import { addExample, findExampleNamed } from '../../api/datasets/examples.ts';
import { readExampleName } from '../../api/files/artifact-path.ts';
import { findRun } from '../../api/runs/runs.ts';
import type { ApiRequest, Handler, Services } from '../../api/services.ts';
import { isoTime } from '../../clock/clock.ts';
import { refusal } from '../../errors.ts';
import { isRecord } from '../../json.ts';
import type { ExampleRecord } from '../../store/datasets.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { RunRecord, RunReviewRecord } from '../../store/runs.ts';
import type { State } from '../../store/state.ts';
import { correctedOutput } from './corrected-output.ts';

/**
 * `POST /v1/runs/{id}/promote`: makes a dataset example of a run. Without a name, the example has the id of
 * the run, so that a repeated request updates it.
 */
export function promoteRun({ store, clock }: Services): Handler<unknown, RunPromotion | undefined> {
  return async function handle(
    request: ApiRequest<unknown, RunPromotion | undefined>,
  ): Promise<PromotedRun> {
    const given = request.body?.name;
    const name = given === undefined ? undefined : readExampleName(given, 'name');
    return store.commit((state) => {
      const run = findRun(state, request);
      const example = makeExample(state, run, name ?? run.id, isoTime(clock.now()));
      return {
        automationId: run.automationId,
        automationType: run.type,
        exampleId: example.id,
        name: example.name,
      };
    });
  };
}

/** The members of an example that come from a run. */
type FromRun = Pick<ExampleRecord, 'inputJson' | 'expectedJson' | 'input' | 'expected'>;

/**
 * Makes a dataset example of a run, or updates the example of its automation with this name.
 *
 * @throws {ApiError} `run_not_completed`, or `example_name_conflict` for a name that differs from that of an
 * example only in case
 */
function makeExample(
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
  const given = input;
  const corrected = reviewed?.expectedFiles ?? [];
  return {
    inputJson: isRecord(given) ? given : null,
    expectedJson: correctedOutput(reviewed?.review, output ?? null),
    input: [...inputFiles],
    expected: [...(corrected.length > 0 ? corrected : outputFiles)],
  };
}

function refuseUnfinished({ status }: DeepReadonly<RunRecord>): void {
  if (status === 'completed') return;
  const message = `the run must be completed, got ${status}`;
  throw refusal('run_not_completed', 'id', message, {
    hint: 'GET /v1/runs/{id} shows the status of the run.',
  });
}

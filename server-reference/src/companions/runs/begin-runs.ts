import { Readable } from 'node:stream';

import type { EvaluationScore } from '../../generated/companions.ts';
import { commitRunChanges, createRun } from '../../events/run-change.ts';
import type { RunChange, RunChangeServices, RunDetails } from '../../events/run-change.ts';
import { nestingDepth } from '../../json.ts';
import type { AutomationRecord } from '../../store/automations.ts';
import type { Blobs } from '../../store/blobs.ts';
import type { StoredFile } from '../../store/datasets.ts';
import type { RunId, WorldId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { RunOrigin, RunRecord } from '../../store/runs.ts';
import { seededRandom } from '../../store/seed.ts';
import type { State } from '../../store/state.ts';
import { storeFiles } from '../../api/files/file.ts';
import type { FileSource } from '../../api/files/file.ts';
import { scheduleTransitions } from '../../events/scheduled-transitions.ts';
import {
  outcomeOf,
  OUTPUT_FILE_NAME,
  outputOf,
  savesOutput,
  simulatedTransitions,
  simulatedUsage,
} from './simulate-run.ts';

/** A simulated run to begin. */
export interface RunOrder {
  readonly worldId: WorldId;
  readonly automation: DeepReadonly<AutomationRecord>;
  readonly origin: RunOrigin;
  readonly triggerType: string;
  /** Files in it have the form `{ "$file": "input/…" }`, and are the `inputFiles` of `details`. */
  readonly input: object;
  /** Default: made from the input. */
  readonly output?: unknown;
  readonly details: RunDetails;
  /** Delays the first transition. Default 0. */
  readonly delayMilliseconds?: number;
  /** Returns the results of the evaluators. They become the scores of the run when it completes. */
  readonly evaluate?: (result: RunResult) => EvaluationScore[];
}

/** The result that a run will have. */
export interface RunResult {
  readonly runId: RunId;
  readonly output: unknown;
  /** When the run will complete, in ISO 8601. */
  readonly completedAt: string;
}

/** The services of {@link beginRuns}. */
export interface BeginServices extends RunChangeServices {
  readonly blobs: Blobs;
  readonly clock: { now(): number };
}

/**
 * Creates simulated runs in one commit. They make their transitions on the clock.
 *
 * @param before - called in the commit before anything has changed; refuse there what must be refused
 * @param after - called in the same commit; adds the records that belong to the runs
 * @returns the ids of the runs, in the order of the orders
 */
export async function beginRuns(
  services: BeginServices,
  orders: readonly RunOrder[],
  before: (state: State) => void,
  after: (state: State, runs: readonly DeepReadonly<RunRecord>[]) => void = () => {},
): Promise<readonly RunId[]> {
  const results = await storeOutputs(services.blobs, orders);
  return commitRunChanges(services, (state) => {
    before(state);
    const changes = results.map(({ order, ...result }) =>
      begin(state, services.clock.now(), order, result),
    );
    after(
      state,
      changes.map(({ run }) => run),
    );
    return { changes, result: changes.map(({ run }) => run.id) };
  });
}

function begin(
  state: State,
  now: number,
  { evaluate, delayMilliseconds = 0, output: _given, ...order }: RunOrder,
  { output, file }: StoredOutput,
): RunChange {
  const { type } = order.automation;
  const work = { type, input: order.input, overrides: order.details.overrides };
  const draw = seededRandom(state.ids.seed);
  const number = state.ids.drawn;
  const steps = simulatedTransitions({
    type,
    outcome: outcomeOf(order.input) ?? 'completed',
    usage: simulatedUsage(type, order.input),
    output,
    outputFiles: savesOutput(work) ? [file] : [],
    random: (name) => draw(`${number}:${name}`),
  });
  const scheduledTransitions = scheduleTransitions(now + delayMilliseconds, steps);
  const change = createRun(state, now, { ...order, scheduledTransitions });
  const last = scheduledTransitions.at(-1);
  if (evaluate !== undefined && last?.status === 'completed') {
    const { id } = change.run;
    const scores = evaluate({ runId: id, output, completedAt: last.at });
    const run = state.runs.edit(id);
    run.scheduledTransitions = [...scheduledTransitions.slice(0, -1), { ...last, scores }];
  }
  return change;
}

/** What a run will have when it completes. */
interface StoredOutput {
  readonly output: unknown;
  readonly file: StoredFile;
}

/** Stores the output of each run as a file. */
async function storeOutputs(
  blobs: Blobs,
  orders: readonly RunOrder[],
): Promise<(StoredOutput & { readonly order: RunOrder })[]> {
  const results: (StoredOutput & { readonly order: RunOrder })[] = [];
  for (const order of orders) {
    const { automation, input, details, output: given } = order;
    const work = { type: automation.type, input, overrides: details.overrides };
    const output = given === undefined ? outputOf(work) : given;
    const [file] = await storeFiles(blobs, [outputFileOf(output)]);
    if (file === undefined) throw new Error('An output of a run is not stored.');
    results.push({ order, output, file });
  }
  return results;
}

/** Indenting adds two bytes for each level to each value: without bounds, 1 MB would become 500 MB. */
const MAX_INDENTED_LENGTH = 65_536;
const MAX_INDENTED_NESTING = 20;

function outputFileOf(output: unknown): FileSource {
  const json = JSON.stringify(output);
  const isIndented =
    json.length <= MAX_INDENTED_LENGTH && nestingDepth(json) <= MAX_INDENTED_NESTING;
  const bytes = Buffer.from(`${isIndented ? JSON.stringify(output, null, 2) : json}\n`);
  return {
    path: OUTPUT_FILE_NAME,
    contentType: 'application/json',
    size: bytes.length,
    bytes: Readable.from([bytes]),
  };
}

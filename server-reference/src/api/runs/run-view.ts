import type {
  RunArtifact,
  RunDebug,
  RunExecution,
  RunFileName,
  RunInput,
  RunUsage,
  RunView,
} from '@hookproof/spec';

import { averageScore, hasPassed } from '../../events/run-counts.ts';
import type { StoredFile } from '../../store/datasets.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { isTerminal } from '../../events/run-transitions.ts';
import type { RunRecord } from '../../store/runs.ts';
import type { ReadonlyState } from '../../store/state.ts';
import { currentVersion } from '../automations/versions.ts';
import { presentReview } from './present-review.ts';
import { presentRunRow, versionOf } from './present-run.ts';
import { runSteps, STEPS } from './run-steps.ts';

/** What `expand` can add to a run. */
const EXPANSIONS = ['input', 'usage', 'execution', 'debug'] as const;
type Expansion = (typeof EXPANSIONS)[number];

/** Reads `expand`: words separated by commas. Unknown words are ignored. */
export function readExpand(text: string | undefined): ReadonlySet<Expansion> {
  const words = new Set((text ?? '').split(',').map((word) => word.trim()));
  return new Set(EXPANSIONS.filter((word) => words.has(word)));
}

/**
 * Returns a run as its read shows it, with its whole output.
 *
 * @param now - milliseconds since the epoch
 */
export function presentRunView(
  state: ReadonlyState,
  run: DeepReadonly<RunRecord>,
  now: number,
  expand: ReadonlySet<Expansion> = new Set(),
): DeepReadonly<RunView> {
  const row = presentRunRow(state, run);
  const hasEnded = isTerminal(run.status);
  const automation = state.automations.get(run.automationId);
  const execution = expand.has('execution') ? expandExecution(state, run, now) : {};
  return {
    ...row,
    ...(run.output === undefined && !hasEnded ? {} : { output: run.output ?? null }),
    source: {
      ...row.source,
      implementationAvailable: automation?.implementationAvailable ?? false,
      automationFound: automation !== undefined,
      currentVersion: (automation && currentVersion(automation)?.version) ?? null,
    },
    execution: { ...row.execution, ...execution },
    ...(hasEnded ? { files: outputArtifacts(run) } : {}),
    ...(expand.has('input') ? { input: presentInput(run) } : {}),
    ...(expand.has('usage') ? { usage: presentUsage(run, now) } : {}),
    ...(expand.has('debug') ? { debug: presentDebug(run) } : {}),
  };
}

/**
 * Returns the usage of a run so far. The duration is from the start to the end, or to now, in milliseconds;
 * 0 for a run that has not started.
 */
export function presentUsage(run: DeepReadonly<RunRecord>, now: number): RunUsage {
  const { startedAt, completedAt, usage } = run;
  const end = completedAt === null ? now : Date.parse(completedAt);
  return {
    ...usage,
    durationMs: startedAt === null ? 0 : Math.max(0, end - Date.parse(startedAt)),
  };
}

function presentInput({
  type,
  input,
  inputFiles = [],
  metadata,
}: DeepReadonly<RunRecord>): DeepReadonly<RunInput> {
  return {
    args: input ?? {},
    ...(type === 'agent' ? { files: inputFiles.map(({ path }) => ({ name: path })) } : {}),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

function presentDebug(run: DeepReadonly<RunRecord>): RunDebug {
  const { llmCallCount, tokens } = run.usage;
  const observability = { llmCallCount, tokens, statuses: run.history.length };
  if (run.type === 'agent') return { observability };
  return { observability, traceId: run.id.slice(run.id.indexOf('_') + 1) };
}

function expandExecution(
  state: ReadonlyState,
  run: DeepReadonly<RunRecord>,
  now: number,
): Partial<DeepReadonly<RunExecution>> {
  const review = presentReview(state.runReviews.get(run.id));
  const expected = presentExpected(state, run);
  const shared = { review, ...(expected === null ? {} : { expected }) };
  if (run.type === 'workflow') {
    return { ...shared, steps: runSteps(run, now), definitionSnapshot: definitionOf(state, run) };
  }
  const isCompared = run.evaluation !== undefined && isTerminal(run.status);
  return {
    ...shared,
    files: { output: run.outputFiles.map(({ path }) => ({ name: path })) },
    ...(isCompared ? { comparison: { score: averageScore(run), passed: hasPassed(run) } } : {}),
  };
}

function definitionOf(state: ReadonlyState, run: DeepReadonly<RunRecord>): object {
  const version = versionOf(run, state.automations.get(run.automationId));
  return {
    version: version?.label ?? null,
    steps: Object.values(STEPS).map((name) => ({ name })),
  };
}

type Expected = DeepReadonly<NonNullable<RunExecution['expected']>>;

/** Returns what the review expects, or else what the example of an evaluation run expects. */
function presentExpected(
  { runReviews, examples }: ReadonlyState,
  { id, evaluation }: DeepReadonly<RunRecord>,
): Expected | null {
  const reviewed = runReviews.get(id);
  if (reviewed !== undefined && (reviewed.review !== null || reviewed.expectedFiles.length > 0)) {
    const output = reviewed.review?.correctedOutput ?? null;
    const files = namesOf(reviewed.expectedFiles);
    return output === null ? { files } : { output, files };
  }
  const example = evaluation === undefined ? undefined : examples.get(evaluation.exampleId);
  if (example === undefined) return null;
  const files = namesOf(example.expected);
  return example.expectedJson === null ? { files } : { output: example.expectedJson, files };
}

function namesOf(files: readonly { readonly path: string }[]): RunFileName[] {
  return files.map(({ path }) => ({ name: path }));
}

/** Returns the output files of a run. `name` is the `outputFileName` of a copy. */
export function outputArtifacts(run: DeepReadonly<RunRecord>): RunArtifact[] {
  const made = run.type === 'workflow' ? { stepName: STEPS.save } : {};
  return run.outputFiles.map((file) => ({ ...presentArtifact('output', file), ...made }));
}

export function presentArtifact(
  role: 'input' | 'output',
  { path, contentType, size }: DeepReadonly<StoredFile>,
): RunArtifact {
  return { name: path, role, path: `${role}/${path}`, contentType, size };
}

import type { EvaluationScore, RunOverrides } from '@hookproof/spec';

import { evaluatorsOf } from '../evaluation/evaluator-config.ts';
import { scoreOutput } from '../evaluation/score-output.ts';
import { simulatedEvaluationOutput } from '../evaluation/simulated-output.ts';
import { findOwner } from '../resources/find.ts';
import type { RunOrder, RunResult } from '../runs/begin-runs.ts';
import { MAX_RUN_MILLISECONDS } from '../runs/simulate-run.ts';
import type { AutomationRecord } from '../state/automations.ts';
import type { ExampleRecord } from '../state/datasets.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { RunVersion } from '../state/runs.ts';
import type { ReadonlyState } from '../state/state.ts';
import type { ApiKeyRecord } from '../state/tenants.ts';
import { seededRandom } from '../store/seed.ts';

/** What evaluation runs have in common. */
export interface Evaluation {
  readonly automation: DeepReadonly<AutomationRecord>;
  readonly version: RunVersion | undefined;
  readonly key: DeepReadonly<ApiKeyRecord>;
  /** Maximum number of runs at the same time; null is none. */
  readonly concurrency: number | null;
}

/**
 * Returns the orders of the evaluation runs of examples. With a maximum of runs at the same time, a run starts
 * only when the slowest one before it has surely ended.
 */
export function evaluationOrders(
  state: ReadonlyState,
  evaluation: Evaluation,
  examples: readonly DeepReadonly<ExampleRecord>[],
): RunOrder[] {
  const { automation, version, key, concurrency } = evaluation;
  const { tenant, user } = findOwner(state, key);
  const draw = seededRandom(state.ids.seed);
  const { config } = evaluatorsOf(state, automation.id);
  return examples.map((example, index) => {
    const random = (name: string): number => draw(`${example.id} ${version?.id} ${name}`);
    const overrides = readOverrides(example);
    const round = concurrency === null ? 0 : Math.floor(index / concurrency);
    const isSimulated = overrides === undefined && example.expectedJson !== null;
    return {
      worldId: tenant.worldId,
      automation,
      origin: 'evaluation',
      triggerType: 'api',
      input: example.inputJson ?? {},
      delayMilliseconds: round * MAX_RUN_MILLISECONDS,
      ...(isSimulated ? { output: simulatedEvaluationOutput(example.expectedJson, random) } : {}),
      details: {
        startedBy: user.id,
        ...(version === undefined ? {} : { version }),
        ...(example.input.length === 0 ? {} : { inputFiles: [...example.input] }),
        ...(overrides === undefined ? {} : { overrides }),
        evaluation: {
          exampleId: example.id,
          exampleName: example.name,
          experimentId: null,
          passThreshold: config.passThreshold,
        },
      },
      evaluate: (result: RunResult) =>
        scoreOutput(config, {
          output: result.output,
          expected: example.expectedJson,
          random,
        }).map((judgement, place): EvaluationScore => {
          const { evaluator, score, passed, details, error } = judgement;
          return {
            id: `${result.runId.replace('exec_', 'result_')}_${place + 1}`,
            runId: result.runId,
            automationId: automation.id,
            evaluatorName: evaluator.name,
            evaluatorType: evaluator.type,
            score,
            passed,
            label: passed === null ? null : passed ? 'pass' : 'fail',
            weight: evaluator.weight,
            passThreshold: evaluator.passThreshold,
            description: evaluator.description ?? null,
            details,
            error,
            createdAt: result.completedAt,
          };
        }),
    };
  });
}

/** The overrides of an example are any object; only those of steps mean something to a run. */
function readOverrides({ overrides }: DeepReadonly<ExampleRecord>): RunOverrides | undefined {
  const steps = overrides?.['steps'];
  if (typeof steps !== 'object' || steps === null || Array.isArray(steps)) return undefined;
  const outputs = Object.entries(steps).filter(
    (entry): entry is [string, Record<string, unknown>] =>
      typeof entry[1] === 'object' && entry[1] !== null,
  );
  return { steps: Object.fromEntries(outputs) };
}

import type { EvaluationScore, RunOverrides } from '../../generated/companions.ts';
import { isRecord } from '../../json.ts';
import { findOwner } from '../../api/auth/check-auth.ts';
import type { RunOrder, RunResult } from '../runs/begin-runs.ts';
import { MAX_RUN_MILLISECONDS } from '../runs/simulate-run.ts';
import type { AutomationRecord } from '../../store/automations.ts';
import type { ExampleRecord } from '../../store/datasets.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { RunVersion } from '../../store/runs.ts';
import { seededRandom } from '../../store/seed.ts';
import type { ReadonlyState } from '../../store/state.ts';
import type { ApiKeyRecord } from '../../store/tenants.ts';
import { evaluatorsOf } from '../evaluators/evaluator-config.ts';
import { scoreOutput } from '../evaluators/score-output.ts';

/** What evaluation runs have in common. */
interface Evaluation {
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
        }).map((judgement, position): EvaluationScore => {
          const { evaluator, score, passed, details, error } = judgement;
          return {
            id: `${result.runId.replace('exec_', 'result_')}_${position + 1}`,
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
  if (!isRecord(steps)) return undefined;
  const outputs = Object.entries(steps).filter(
    (entry): entry is [string, Record<string, unknown>] =>
      typeof entry[1] === 'object' && entry[1] !== null,
  );
  return { steps: Object.fromEntries(outputs) };
}

/** Of all outputs that are expected. */
const CORRECT_SHARE = 0.75;

/**
 * Returns the output of a simulated evaluation run: what the example expects, or the same with one field
 * changed.
 *
 * @param random - returns a number from 0 to below 1 for a key
 */
function simulatedEvaluationOutput(
  expected: DeepReadonly<unknown>,
  random: (key: string) => number,
): unknown {
  if (random('correct') < CORRECT_SHARE) return expected;
  if (!isRecord(expected)) return changed(expected);
  const names = Object.keys(expected);
  const wrong = names[Math.floor(random('field') * names.length)];
  return Object.fromEntries(
    Object.entries(expected).map(([name, value]) => [
      name,
      name === wrong ? changed(value) : value,
    ]),
  );
}

function changed(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  return typeof value === 'string' ? `${value}?` : null;
}

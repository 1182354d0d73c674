import type {
  RunEvaluation,
  RunRetry,
  RunRow,
  RunSource,
  RunTiming,
  RunTrigger,
} from '@hookproof/spec';

import { averageScore, hasPassed } from '../../events/run-counts.ts';
import { runWithoutOutput } from '../../events/run-snapshot.ts';
import type { AutomationRecord } from '../../store/automations.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { isTerminal } from '../../events/run-transitions.ts';
import type { RunRecord, RunVersion } from '../../store/runs.ts';
import type { ReadonlyState } from '../../store/state.ts';
import { currentVersion, tagOf } from '../automations/versions.ts';
import { fitsSchema } from './fits-schema.ts';
import { summarizeReview } from './present-review.ts';
import { runError } from './run-steps.ts';

/** Returns a run as lists show it: the snapshot without the output, and the rest of the view in short. */
export function presentRunRow(state: ReadonlyState, run: DeepReadonly<RunRecord>): RunRow {
  const evaluation = presentEvaluation(run);
  return {
    ...runWithoutOutput(run),
    finished: isTerminal(run.status),
    sampleRank: sampleRank(run),
    timing: presentTiming(run),
    source: presentSource(state, run),
    trigger: presentTrigger(state, run),
    execution: {
      status: run.status,
      schemaValid: isOutputValid(state, run),
      batchId: run.evaluation?.experimentId ?? null,
      retry: presentRetry(state, run),
      review: summarizeReview(state.runReviews.get(run.id)),
    },
    ...(evaluation === null ? {} : { eval: evaluation }),
    ...(isTerminal(run.status) ? { error: runError(run) } : {}),
  };
}

/** Returns a number from 0 to below 1 that follows from the tenant and the id of a run. */
export function sampleRank({ tenantId, id }: DeepReadonly<RunRecord>): number {
  return rankOf(`${tenantId} ${id}`);
}

function presentTiming(run: DeepReadonly<RunRecord>): RunTiming {
  const { createdAt, startedAt, completedAt, cancelRequestedAt = null } = run;
  const durationMs =
    startedAt === null || completedAt === null
      ? null
      : Date.parse(completedAt) - Date.parse(startedAt);
  return { createdAt, startedAt, completedAt, durationMs, cancelRequestedAt };
}

/** Returns the automation and version of a run. */
export function presentSource(
  { automations, agents }: Pick<ReadonlyState, 'automations' | 'agents'>,
  run: DeepReadonly<RunRecord>,
): RunSource {
  const automation = automations.get(run.automationId);
  const version = versionOf(run, automation);
  const name = automation?.name ?? null;
  if (run.type === 'workflow') {
    const { label = null, id: versionId = null } = version ?? {};
    return { id: run.automationId, name, version: label, versionId };
  }
  const model: unknown = agents.get(run.automationId)?.config['model'];
  return {
    id: run.automationId,
    name,
    version: null,
    slug: automation?.slug ?? null,
    model: typeof model === 'string' ? model : null,
    git:
      version === null
        ? null
        : {
            requestedRef: version.requested,
            resolvedRef: version.sourceRef,
            resolvedTag: tagOf(version.label),
            commitSha: version.commit,
          },
  };
}

/** Returns the version that a run was made from; null if its automation has none. */
export function versionOf(
  { version }: DeepReadonly<RunRecord>,
  automation: DeepReadonly<AutomationRecord> | undefined,
): DeepReadonly<RunVersion> | null {
  if (version !== undefined) return version;
  const current = automation && currentVersion(automation);
  if (current === undefined) return null;
  const { id, version: label, sourceRef, commit } = current;
  return { id, label, requested: null, sourceRef, commit };
}

function presentTrigger({ users }: ReadonlyState, run: DeepReadonly<RunRecord>): RunTrigger {
  const user = run.startedBy === undefined ? undefined : users.get(run.startedBy);
  const by = user === undefined ? null : { id: user.id, name: user.name, email: user.email };
  const isByEmail = run.type === 'agent' && run.triggerType === 'email';
  return {
    type: run.triggerType,
    by,
    ...(isByEmail ? { email: { messageId: `<${run.id}@mail.example>` } } : {}),
  };
}

function isOutputValid(
  { automations }: ReadonlyState,
  run: DeepReadonly<RunRecord>,
): boolean | null {
  if (run.status !== 'completed') return null;
  const schema = automations.get(run.automationId)?.outputSchema;
  return fitsSchema(run.output ?? null, schema);
}

function presentRetry({ runs }: ReadonlyState, run: DeepReadonly<RunRecord>): RunRetry {
  const { number = 0, previousRunId = null } = run.retry ?? {};
  const next = run.nextRunId === undefined ? undefined : runs.get(run.nextRunId);
  const nextRun = next === undefined ? null : { id: next.id, status: next.status };
  return { number, previousRunId, nextRun };
}

function presentEvaluation(run: DeepReadonly<RunRecord>): RunEvaluation | null {
  if (run.origin !== 'evaluation') return null;
  const { exampleId = null, exampleName = null } = run.evaluation ?? {};
  const result = { score: averageScore(run), passed: hasPassed(run) };
  return run.type === 'workflow'
    ? { example: exampleId, exampleId, ...result }
    : { example: exampleName, ...result };
}

/**
 * Returns a number from 0 to below 1 that follows from a text. Similar texts give unrelated numbers. A list
 * reads it for each of its runs, so this is a plain hash: FNV-1a, with its bits mixed once more.
 */
function rankOf(text: string): number {
  let bits = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193);
  }
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39);
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
}

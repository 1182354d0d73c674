import type { ReviewCorrection } from '@hookproof/spec';

import { isoTime } from '../../clock/clock.ts';
import { countEvaluation } from '../../events/run-counts.ts';
import { noUsage } from '../../events/run-change.ts';
import type { RunDetails } from '../../events/run-change.ts';
import type { RunId } from '../../store/ids.ts';
import { impliesStart, isTerminal } from '../../events/run-transitions.ts';
import type { AutomationRecord } from '../../store/automations.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { State } from '../../store/state.ts';
import type { RunRecord } from '../../store/runs.ts';
import { storedFiles } from './assets.ts';
import type { SeedCorrection, SeedRun, SeedRunReview } from './generated/seed-data.ts';
import { idOf } from './seeding.ts';
import type { Ids, SeededTenant, Seeding, TenantContents } from './seeding.ts';

/** The part of a tenant that runs refer to. */
type RunContext = Pick<TenantContents, 'tenant' | 'automations' | 'examples' | 'experiments'>;

/** Between two statuses of a run. */
const STEP_HOURS = 20 / 3600;

const REVIEWED_MINUTES_AFTER = 30;
const CLOSED_MINUTES_AFTER = 50;

/**
 * Adds runs with their reviews; returns the ids of the named runs. These runs emit no events, because they
 * ended or started before the world was created.
 */
export function seedRuns(
  seeding: Seeding,
  contents: RunContext,
  runs: readonly SeedRun[],
): Ids<RunId> {
  const { state } = seeding;
  const ids = new Map<string, RunId>();
  for (const run of runs) {
    const automation = state.automations.get(idOf(contents.automations, run.automation));
    if (automation === undefined) throw new Error(`Seed data has no "${run.automation}".`);
    const record = { ...runRecord(seeding, automation, run), ...runDetails(contents, run) };
    state.runs.add(record);
    joinExperiment(state, record);
    if (run.review !== undefined) seedRunReview(seeding, contents.tenant, record, run.review);
    if (run.name !== undefined) ids.set(run.name, record.id);
  }
  return ids;
}

/** Adds an evaluation run to the counts of its experiment. */
function joinExperiment(state: State, run: RunRecord): void {
  const id = run.evaluation?.experimentId ?? null;
  if (id === null) return;
  const experiment = state.experiments.edit(id);
  experiment.runCount += 1;
  experiment.completedAt = null;
  countEvaluation(state, run);
}

/** Returns what a run refers to besides its automation. Runs by schedule or e-mail have no user. */
function runDetails(
  { tenant, examples, experiments }: RunContext,
  { automation, trigger, evaluates }: SeedRun,
): RunDetails {
  return {
    ...(trigger === 'api' || trigger === 'manual' ? { startedBy: tenant.userId } : {}),
    ...(evaluates === undefined
      ? {}
      : {
          evaluation: {
            exampleId: idOf(examples, `${automation}/${evaluates.example}`),
            exampleName: evaluates.example,
            experimentId: idOf(experiments, evaluates.experiment),
            passThreshold: 1,
          },
        }),
  };
}

/** Returns an input for a run whose seed data has none: a value for each field of the input schema. */
function sampleInput(automation: DeepReadonly<AutomationRecord>, number: number): object {
  const properties: unknown = automation.inputSchema['properties'];
  if (typeof properties !== 'object' || properties === null) return {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]: [string, unknown]) => {
      const type: unknown =
        typeof schema === 'object' && schema !== null && 'type' in schema ? schema.type : '';
      const samples: Readonly<Record<string, unknown>> = {
        number,
        integer: number,
        array: [number],
        object: { number },
      };
      return [name, samples[String(type)] ?? `${name} ${number}`];
    }),
  );
}

function runRecord(
  seeding: Seeding,
  automation: DeepReadonly<AutomationRecord>,
  run: SeedRun,
): RunRecord {
  const { createdHoursAgo, statuses, trigger, origin, input, output, files = {} } = run;
  const history = statuses.map((status, index) => ({
    status,
    at: seeding.hoursAgo(createdHoursAgo - index * STEP_HOURS),
  }));
  const started = history.find(({ status }) => impliesStart(status));
  return {
    id: seeding.id('exec_'),
    worldId: seeding.worldId,
    tenantId: automation.tenantId,
    automationId: automation.id,
    type: automation.type,
    status: statuses.at(-1) ?? 'pending',
    triggerType: trigger,
    createdAt: seeding.hoursAgo(createdHoursAgo),
    startedAt: started?.at ?? null,
    completedAt: history.find(({ status }) => isTerminal(status))?.at ?? null,
    input: input ?? sampleInput(automation, Math.round(createdHoursAgo)),
    ...(output === undefined ? {} : { output }),
    origin,
    outputFiles: storedFiles(files),
    usage: started === undefined ? noUsage() : usageOf(automation, statuses.length),
    scheduledTransitions: [],
    history,
  };
}

/** Agents take turns and workflows read pages. A run with more statuses has used more. */
function usageOf({ type }: DeepReadonly<AutomationRecord>, calls: number): RunRecord['usage'] {
  const isAgent = type === 'agent';
  const tokens = {
    input: 1840 * calls,
    output: 312 * calls,
    cacheRead: isAgent ? 6200 * calls : 0,
    cacheWrite: isAgent ? 1550 : 0,
  };
  return {
    tokens,
    creditsCharged: Math.round((tokens.input + 4 * tokens.output) / 100) / 10,
    llmCallCount: calls,
    ocrPagesProcessed: isAgent ? 0 : calls - 1,
    agentTurns: isAgent ? calls + 2 : 0,
  };
}

function seedRunReview(
  seeding: Seeding,
  { reviewer }: SeededTenant,
  run: RunRecord,
  review: SeedRunReview,
): void {
  const { verdict, note, closedNote, corrections, correctedOutput, correctedFiles } = review;
  const createdAt = minutesAfter(run.completedAt, REVIEWED_MINUTES_AFTER);
  const isClosed = closedNote !== undefined;
  const closedAt = isClosed ? minutesAfter(run.completedAt, CLOSED_MINUTES_AFTER) : null;
  seeding.state.runReviews.add({
    id: run.id,
    review: {
      id: seeding.id('runreview_'),
      verdict,
      status: isClosed ? 'closed' : 'open',
      note,
      reviewedBy: reviewer.id,
      reviewedByEmail: reviewer.email,
      reviewedAt: createdAt,
      closedBy: isClosed ? reviewer.id : null,
      closedByEmail: isClosed ? reviewer.email : null,
      closedAt,
      closedNote: closedNote ?? null,
      createdAt,
      updatedAt: closedAt ?? createdAt,
      corrections: corrections.map((one) => correctionRecord(seeding, one, createdAt)),
      correctedOutput: correctedOutput ?? null,
    },
    expectedFiles: storedFiles(correctedFiles),
  });
}

function correctionRecord(
  seeding: Seeding,
  { kind, path, label, original, corrected, correctedFile }: SeedCorrection,
  createdAt: string,
): ReviewCorrection {
  return {
    id: seeding.id('correction_'),
    kind,
    path,
    label,
    note: '',
    createdAt,
    updatedAt: createdAt,
    originalValue: original ?? null,
    correctedValue: corrected ?? null,
    ...(correctedFile === undefined ? {} : { correctedArtifactPath: correctedFile }),
  };
}

function minutesAfter(moment: string | null, minutes: number): string {
  return isoTime(Date.parse(moment ?? '') + minutes * 60_000);
}

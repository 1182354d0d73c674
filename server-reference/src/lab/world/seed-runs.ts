import type { ReviewCorrection } from '@hookproof/spec';

import { noUsage } from '../../platform/runs/change-run.ts';
import type { AutomationId, RunId } from '../../platform/state/ids.ts';
import { impliesStart, isTerminal } from '../../platform/state/run-transitions.ts';
import type { AutomationRecord } from '../../platform/state/automations.ts';
import type { RunRecord } from '../../platform/state/runs.ts';
import { listNewestFirst } from '../../platform/store/records.ts';
import { storedFiles } from './assets.ts';
import type { SeedCorrection, SeedRun, SeedRunReview } from './generated/seed-data.ts';
import { idOf } from './seeding.ts';
import type { Ids, SeededTenant, Seeding } from './seeding.ts';

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
  tenant: SeededTenant,
  automationIds: Ids<AutomationId>,
  runs: readonly SeedRun[],
): Ids<RunId> {
  const { state } = seeding;
  const ids = new Map<string, RunId>();
  for (const run of runs) {
    const automation = state.automations[idOf(automationIds, run.automation)];
    if (automation === undefined) throw new Error(`Seed data has no "${run.automation}".`);
    const record = runRecord(seeding, automation, run);
    listNewestFirst(record, state.runs, state.listed.runs);
    if (run.review !== undefined) seedRunReview(seeding, tenant, record, run.review);
    if (run.name !== undefined) ids.set(run.name, record.id);
  }
  return ids;
}

function runRecord(seeding: Seeding, automation: AutomationRecord, run: SeedRun): RunRecord {
  const { createdHoursAgo, statuses, trigger, origin, input, output, files = {} } = run;
  const history = statuses.map((status, index) => ({
    status,
    at: seeding.hoursAgo(createdHoursAgo - index * STEP_HOURS),
  }));
  const started = history.find(({ status }) => impliesStart(status));
  return {
    id: seeding.id('run_'),
    worldId: seeding.worldId,
    tenantId: automation.tenantId,
    automationId: automation.id,
    type: automation.type,
    status: statuses.at(-1) ?? 'pending',
    triggerType: trigger,
    createdAt: seeding.hoursAgo(createdHoursAgo),
    startedAt: started?.at ?? null,
    completedAt: history.find(({ status }) => isTerminal(status))?.at ?? null,
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    origin,
    outputFiles: storedFiles(files),
    usage: started === undefined ? noUsage() : usageOf(automation, statuses.length),
    scheduledTransitions: [],
    history,
  };
}

/** Agents take turns and workflows read pages. A run with more statuses has used more. */
function usageOf({ type }: AutomationRecord, calls: number): RunRecord['usage'] {
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
  seeding.state.runReviews[run.id] = {
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
  };
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
  return new Date(Date.parse(moment ?? '') + minutes * 60_000).toISOString();
}

import { noUsage } from '../../platform/runs/change-run.ts';
import type { AutomationRecord } from '../../platform/state/automations.ts';
import { impliesStart, isTerminal } from '../../platform/state/run-transitions.ts';
import type { RunRecord } from '../../platform/state/runs.ts';
import { listNewestFirst } from '../../platform/store/records.ts';
import { storedFiles } from './assets/asset.ts';
import type { RunPlan } from './run-plans.ts';
import { seedRunReview } from './seed-run-review.ts';
import type { SeededTenant } from './seed-tenant.ts';
import type { Seeding } from './seeding.ts';

/** Between two statuses of a run. */
const STEP_HOURS = 20 / 3600;

/** Adds runs, with their reviews; returns their ids in the order of the plans. */
export function seedRuns(
  seeding: Seeding,
  worldId: string,
  tenant: SeededTenant,
  automationIds: ReadonlyMap<string, string>,
  plans: readonly RunPlan[],
): string[] {
  const { state } = seeding;
  return plans.map((plan) => {
    const automation = state.automations[automationIds.get(plan.automation) ?? ''];
    if (automation === undefined) throw new Error(`the seeded world has no ${plan.automation}`);
    const run = seededRun(seeding, worldId, automation, plan);
    listNewestFirst(run, state.runs, state.listed.runs);
    if (plan.review !== undefined) seedRunReview(seeding, tenant, run, plan.review);
    return run.id;
  });
}

function seededRun(
  seeding: Seeding,
  worldId: string,
  automation: AutomationRecord,
  plan: RunPlan,
): RunRecord {
  const history = plan.statuses.map((status, index) => ({
    status,
    at: seeding.hoursAgo(plan.hoursAgo - index * STEP_HOURS),
  }));
  const started = history.find(({ status }) => impliesStart(status));
  return {
    id: seeding.id('run_'),
    worldId,
    tenantId: automation.tenantId,
    automationId: automation.id,
    type: automation.type,
    status: plan.statuses.at(-1) ?? 'pending',
    triggerType: plan.trigger ?? 'api',
    createdAt: seeding.hoursAgo(plan.hoursAgo),
    startedAt: started?.at ?? null,
    completedAt: history.find(({ status }) => isTerminal(status))?.at ?? null,
    ...(plan.input === undefined ? {} : { input: plan.input }),
    ...(plan.output === undefined ? {} : { output: plan.output }),
    origin: plan.origin ?? 'top-level',
    outputFiles: storedFiles(plan.files ?? {}),
    usage: started === undefined ? noUsage() : usageOf(automation, plan),
    course: [],
    history,
  };
}

/** Agents take turns, workflows read pages; the longer the run has gone, the more it has used. */
function usageOf(automation: AutomationRecord, plan: RunPlan): RunRecord['usage'] {
  const calls = plan.statuses.length;
  const isAgent = automation.type === 'agent';
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

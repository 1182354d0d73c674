import type { AutomationType, RunStatus } from '@hookproof/spec';

import { noUsage } from '../runs/no-usage.ts';
import type { RunRecord } from '../state/run.ts';
import type { SeededTenant } from './seed-tenant.ts';
import type { Seeding } from './seeding.ts';

/** The ways that the seeded runs have gone; they sent no events, since they lie before the world. */
const WORKFLOW_HISTORIES: readonly (readonly RunStatus[])[] = [
  ['pending', 'running', 'finalizing', 'completed'],
  ['pending', 'running', 'failed'],
  ['pending', 'running', 'waiting'],
  ['pending', 'cancelled'],
  ['pending', 'rejected'],
  ['pending'],
];
const AGENT_HISTORIES: readonly (readonly RunStatus[])[] = [
  ['created', 'pending', 'running', 'finalizing', 'completed'],
  ['created', 'pending', 'running'],
  ['created'],
];

/** Adds runs of an automation in various statuses; returns the id of the first, which is completed. */
export function seedRuns(
  seeding: Seeding,
  worldId: string,
  tenant: SeededTenant,
  automation: { readonly id: string; readonly type: AutomationType },
): string {
  const histories = automation.type === 'workflow' ? WORKFLOW_HISTORIES : AGENT_HISTORIES;
  const ids = histories.map((statuses, index) => {
    const run = seededRun(seeding, 2 + 3 * index, statuses);
    const id = seeding.id('run_');
    seeding.state.runs[id] = {
      ...run,
      id,
      worldId,
      tenantId: tenant.id,
      automationId: automation.id,
      type: automation.type,
      triggerType: 'api',
      origin: 'top-level',
      outputFiles: [],
      usage: noUsage(),
      course: [],
    };
    return id;
  });
  return ids[0] ?? '';
}

/** Each status comes a minute after the one before. */
function seededRun(
  seeding: Seeding,
  hoursAgo: number,
  statuses: readonly RunStatus[],
): Pick<RunRecord, 'status' | 'createdAt' | 'startedAt' | 'completedAt' | 'output' | 'history'> {
  const history = statuses.map((status, index) => ({
    status,
    at: seeding.hoursAgo(hoursAgo - index / 60),
  }));
  const when = (...wanted: RunStatus[]): string | null =>
    history.find((entry) => wanted.includes(entry.status))?.at ?? null;
  const completed = when('completed');
  return {
    status: statuses.at(-1) ?? 'pending',
    createdAt: seeding.hoursAgo(hoursAgo),
    startedAt: when('running'),
    completedAt: completed ?? when('failed', 'cancelled', 'rejected'),
    ...(completed === null ? {} : { output: { rows: [{ carrier: 'Northway', pallets: 12 }] } }),
    history,
  };
}

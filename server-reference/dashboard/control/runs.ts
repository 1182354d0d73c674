import type { RunSnapshot, RunStatus } from '@hookproof/spec';
import type { EventList, RunProgress, RunWithMovesList } from '@hookproof/spec/control';

import { call } from './call.ts';
import type { Part } from './operations.ts';

export interface RunFilters {
  readonly worldId?: string | undefined;
  readonly status?: string | undefined;
  readonly origin?: string | undefined;
}

/** `listRuns`. */
export function listRuns(filters: RunFilters, part: Part): Promise<RunWithMovesList> {
  return call({ path: '/runs', query: { ...filters, ...part, order: 'newest' } });
}

/** `getRunProgress`. */
export function getRunProgress(id: string): Promise<RunProgress> {
  return call({ path: `/runs/${encodeURIComponent(id)}/progress` });
}

/** `readRun`. */
export function readRun(id: string): Promise<RunSnapshot> {
  return call({ path: `/runs/${encodeURIComponent(id)}` });
}

/** `moveRun`. */
export function moveRun(id: string, status: RunStatus): Promise<RunSnapshot> {
  return call({
    method: 'POST',
    path: `/runs/${encodeURIComponent(id)}/moves`,
    body: { status },
  });
}

/** `listEvents`, of a run. */
export function listRunEvents(runId: string): Promise<EventList> {
  return call({ path: '/events', query: { runId } });
}

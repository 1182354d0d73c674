import type { RunSnapshot } from '@hookproof/spec';
import type { RunDetail, RunMove, RunWithMovesList } from '@hookproof/spec/control';

import { call } from './call.ts';
import type { Part } from './operations.ts';

interface RunFilters {
  readonly worldId?: string | undefined;
  readonly status?: string | undefined;
  readonly origin?: string | undefined;
}

/** `listRuns`. */
export function listRuns(filters: RunFilters, part: Part): Promise<RunWithMovesList> {
  return call({ path: '/runs', query: { ...filters, ...part, order: 'newest' } });
}

/** `readRun`. */
export function readRun(id: string): Promise<RunDetail> {
  return call({ path: `/runs/${encodeURIComponent(id)}` });
}

/** `moveRun`. */
export function moveRun(id: string, body: RunMove): Promise<RunSnapshot> {
  return call({
    method: 'POST',
    path: `/runs/${encodeURIComponent(id)}/moves`,
    body,
  });
}

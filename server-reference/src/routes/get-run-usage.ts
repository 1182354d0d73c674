import type { RunUsage } from '@hookproof/spec';

import type { Handler, Services } from '../app/handler.ts';
import type { RunRecord } from '../state/run.ts';
import { findRun } from './find-run.ts';

/** `GET /v1/runs/{id}/usage`: what a run has used so far. */
export function getRunUsage({ store, clock }: Services): Handler {
  return async function handle(request): Promise<{ usage: RunUsage }> {
    const run = findRun(store.state, request);
    return { usage: { ...run.usage, durationMs: durationOf(run, clock.now()) } };
  };
}

/** Milliseconds since the start, or until the end; 0 for a run that has not started. */
function durationOf({ startedAt, completedAt }: RunRecord, now: number): number {
  if (startedAt === null) return 0;
  const end = completedAt === null ? now : Date.parse(completedAt);
  return Math.max(0, end - Date.parse(startedAt));
}

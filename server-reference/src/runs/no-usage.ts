import type { UsageRecord } from '../state/run.ts';

/** What a run has used before it began. */
export function noUsage(): UsageRecord {
  return {
    tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    creditsCharged: 0,
    llmCallCount: 0,
    ocrPagesProcessed: 0,
    agentTurns: 0,
  };
}

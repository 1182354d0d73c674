import { watchAttempts } from '../../running/watch-attempts.ts';
import { SCENARIOS } from '@hookproof/spec/scenarios';
import { sendRun } from './send-run.ts';
import { startSending } from './sending.ts';
import { targetOf } from './target.ts';
import type { ServerToSend } from './target.ts';

/**
 * Makes a run of a server that is created, proceeds and completes, as `hookproof trigger` does without a scenario.
 *
 * @throws {UsageError} if the server has no enabled endpoint
 */
export async function sendCompletedRun(server: ServerToSend): Promise<void> {
  const completed = SCENARIOS.find(({ name }) => name === 'completed');
  if (completed === undefined) return;
  const target = await targetOf(server);
  const watched = await watchAttempts(target, () => {});
  try {
    await sendRun(completed, startSending(target, watched));
  } finally {
    watched.close();
  }
}

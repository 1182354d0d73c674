import { runTimeline } from '@hookproof/receiver/testing';

import { startedReceiver } from '../started-receiver.ts';

/** Starts a receiver with two dead letters, of the runs `exec_1` and `exec_2`. `repair` makes their handler succeed. */
export async function receiverWithDeadLetters(mode: 'live' | 'ordered', keepBodiesDays = 0) {
  let isBroken = true;
  const started = await startedReceiver({
    mode,
    retryForHours: 0,
    keepBodiesDays,
    handlers: {
      failed: () => {
        if (isBroken) throw new Error('billing is down');
      },
    },
  });
  for (const id of ['exec_1', 'exec_2']) {
    await started.deliver(...runTimeline(['pending', 'failed'], { run: { id } }));
  }
  const repair = (): void => {
    isBroken = false;
  };
  return { ...started, repair };
}

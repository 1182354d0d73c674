import { onClosedOutput } from '../../../command-line/closed-output.ts';
import type { Screen } from '../../../command-line/screen.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export const EXIT_CODE_INTERRUPTED = 130;

/**
 * Does work that the first SIGINT, SIGTERM or SIGHUP aborts, and a reader that closes standard output. The work then
 * puts back what it changed, and a second signal ends the process at once.
 */
export async function interruptible<T>(
  program: NodeJS.Process,
  screen: Screen,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) program.exit(EXIT_CODE_INTERRUPTED);
    screen.note('Interrupted. The run puts back what it changed; Ctrl-C again ends it at once.');
    controller.abort();
  };
  for (const name of SIGNALS) program.on(name, stop);
  const endWatch = onClosedOutput(() => controller.abort());
  try {
    return await work(controller.signal);
  } finally {
    endWatch();
    for (const name of SIGNALS) program.off(name, stop);
  }
}

import { onClosedOutput } from './closed-output.ts';

/** A terminal that is closed sends SIGHUP. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Resolves at the first signal to stop, or when standard output has no reader any more; a signal after that ends the
 * process at once.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      for (const signal of STOP_SIGNALS) process.off(signal, stop);
      endWatch();
      resolve();
    };
    const endWatch = onClosedOutput(stop);
    for (const signal of STOP_SIGNALS) process.on(signal, stop);
  });
}

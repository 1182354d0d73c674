import { Worker } from 'node:worker_threads';
import type { TargetResult } from '@hookproof/conformance';

import type { NamedTarget } from './targets-file.ts';
import type { WorkerMessage } from './worker.ts';

/** The limits of the run of one target. */
export interface TargetLimits {
  readonly timeoutSeconds: number;
  /** Of the worker's heap, in MB. */
  readonly memoryMegabytes: number;
  /** Ends the run: it puts back what it changed, and its report says that it was interrupted. */
  readonly signal: AbortSignal;
}

type Ending = Omit<TargetResult, 'name' | 'durationMilliseconds'>;

const WORKER = new URL('./worker.js', import.meta.url);
/** For a run that was ended to put back what it changed; it has a limit of its own of 30 s for that. */
const GRACE_MILLISECONDS = 45_000;

const NOT_STARTED: Ending = {
  status: 'not-started',
  message: 'The run of this target did not start, because all runs were interrupted.',
  exitCode: 130,
  report: null,
};

/**
 * Judges one target in a worker thread of its own. Always resolves: a crash, a hang and too much memory are the result
 * of this target alone.
 */
export async function runTarget(
  { name, options }: NamedTarget,
  limits: TargetLimits,
  onProgress: (done: number, total: number) => void,
): Promise<TargetResult> {
  if (limits.signal.aborted) return { name, durationMilliseconds: 0, ...NOT_STARTED };
  const started = performance.now();
  const worker = new Worker(WORKER, {
    workerData: options,
    resourceLimits: { maxOldGenerationSizeMb: limits.memoryMegabytes },
  });
  const ending = await endingOf(worker, limits, onProgress);
  await worker.terminate();
  return { name, durationMilliseconds: Math.round(performance.now() - started), ...ending };
}

/** A run out of time is ended as Ctrl-C ends it, and by force only if it then hangs. */
async function endingOf(
  worker: Worker,
  limits: TargetLimits,
  onProgress: (done: number, total: number) => void,
): Promise<Ending> {
  const { signal, timeoutSeconds } = limits;
  const ended = new AbortController();
  const ending = await new Promise<Ending>((resolve) => {
    let isLate = false;
    const end = (): void => {
      worker.postMessage('end', []);
      after(GRACE_MILLISECONDS, ended.signal, () => resolve(stuck(limits)));
    };
    signal.addEventListener('abort', end, { signal: ended.signal });
    after(timeoutSeconds * 1000, ended.signal, () => {
      isLate = true;
      end();
    });
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'progress') onProgress(message.done, message.total);
      else resolve(isLate ? timedOut(message, limits) : saidBy(message));
    });
    worker.once('error', (error: unknown) => resolve(crash(reasonOf(error))));
    worker.once('exit', (code) => resolve(crash(`Its thread ended with ${code}.`)));
  });
  ended.abort();
  return ending;
}

/** Calls back after a time, unless the signal aborts before. */
function after(milliseconds: number, signal: AbortSignal, callback: () => void): void {
  const timer = setTimeout(callback, milliseconds);
  signal.addEventListener('abort', () => clearTimeout(timer));
}

type LastMessage = Exclude<WorkerMessage, { kind: 'progress' }>;

function saidBy(message: LastMessage): Ending {
  if (message.kind === 'wrong-options') {
    return { status: 'wrong-options', message: message.message, exitCode: 2, report: null };
  }
  const { report } = message;
  return { status: 'finished', message: report.headline, exitCode: report.exitCode, report };
}

function crash(reason: string): Ending {
  const message = `The run of this target crashed. ${reason}`;
  return { status: 'crashed', message, exitCode: 5, report: null };
}

function timedOut(message: LastMessage, { timeoutSeconds }: TargetLimits): Ending {
  const left = message.kind === 'report' ? message.report.leftBehind : [];
  const text = [
    `The run of this target did not end within ${timeoutSeconds} s. Raise --target-timeout, or select fewer checks.`,
    ...left.map((one) => `Changed and not put back: ${one}.`),
  ].join(' ');
  return { status: 'timed-out', message: text, exitCode: 3, report: null };
}

function stuck({ signal }: TargetLimits): Ending {
  const message = `The run of this target was ended by force: it did not put back its changes within ${GRACE_MILLISECONDS / 1000} s. Use --clean-up.`;
  return { status: 'timed-out', message, exitCode: signal.aborted ? 130 : 3, report: null };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import { parentPort, workerData } from 'node:worker_threads';
import { runConformance } from '@hookproof/conformance';
import type { Report } from '@hookproof/conformance';

import { UsageError } from '../../../command-line/errors.ts';
import { checkSettings } from '../options/all.ts';
import type { CheckOptions } from '../options/all.ts';
import { journalPlace, newJournal } from '../safety/journal-files.ts';

/** What a worker says about its target: progress, then a report or the reason why its options are wrong. */
export type WorkerMessage =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'report'; readonly report: Report }
  | { readonly kind: 'wrong-options'; readonly message: string };

function send(message: WorkerMessage): void {
  parentPort?.postMessage(message, []);
}

async function judge(options: CheckOptions): Promise<void> {
  // The main thread has the signals of the process: its one message ends the run.
  const ending = new AbortController();
  parentPort?.once('message', () => ending.abort());
  try {
    const settings = checkSettings(options);
    const report = await runConformance({
      ...settings,
      signal: ending.signal,
      journal: newJournal(journalPlace(settings, options.journal, process.env), process.pid),
      rejections: process,
      onProgress: ({ done, total }) => send({ kind: 'progress', done, total }),
    });
    send({ kind: 'report', report });
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof UsageError)) throw error;
    send({ kind: 'wrong-options', message: error.message });
  }
}

await judge(workerData);

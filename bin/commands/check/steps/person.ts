import { Writable } from 'node:stream';
import { createInterface } from 'node:readline/promises';
import type { Step, StepName, StepPerformer, StepResult } from '@hookproof/conformance';

import { UsageError } from '../../../command-line/errors.ts';

/** Asks the person at the terminal. `hidden`: what is typed is not shown. Rejects when the signal aborts. */
type Ask = (question: string, options: Asked) => Promise<string>;

interface Asked {
  readonly signal: AbortSignal | undefined;
  readonly hidden?: boolean;
}

/** Asks a person at the terminal to perform each step. Throws a usage error without a terminal. */
export function performByPerson(): StepPerformer {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new UsageError(
      '--ask requires a terminal, got a pipe. Use --step-command COMMAND where no person can be asked.',
    );
  }
  let stopped = false;
  return {
    person: true,
    async perform(step, signal) {
      const { name } = step;
      if (name === 'move-run') {
        return { kind: 'cannot', message: 'a person is not asked to move a run' };
      }
      if (stopped) return { kind: 'cannot', message: 'you stopped' };
      // A question of several lines would be drawn over a line of progress.
      process.stderr.write(`${NEW_LINE}${REQUESTS[name](step)}\n`);
      const said = await ask('Press Enter when done, s to skip, q to stop: ', { signal });
      const key = said.trim().toLowerCase();
      stopped = key === 'q';
      if (key === 'q' || key === 's') {
        return { kind: 'cannot', message: `you ${stopped ? 'stopped' : 'skipped it'}` };
      }
      return detailsOf(step, signal);
    },
  };
}

/** Replaces a line of progress. */
const NEW_LINE = '\r\u001B[K\n';

/** What a person is asked to do. A run progresses by itself: a person is not asked to move one. */
const REQUESTS: Readonly<Record<Exclude<StepName, 'move-run'>, (step: Step) => string>> = {
  'create-endpoint': ({ url, headers = {} }) =>
    [
      'Open the dashboard of the deployment and create a webhook endpoint with this URL:',
      `  ${url}`,
      'If it takes custom headers, add these:',
      ...Object.entries(headers).map(([header, value]) => `  ${header}: ${value}`),
    ].join('\n'),
  'create-run': ({ run }) =>
    `Start a run of ${run?.type === 'agent' ? 'an agent' : 'a workflow'} and wait until it is completed.`,
  'send-test': () => 'Send a test event to the endpoint ("Send test").',
  redeliver: ({ eventId, runId }) =>
    `Send this event again from the delivery log of the endpoint:\n  ${String(eventId)} of the run ${String(runId)}`,
  'delete-endpoint': ({ url }) => `Delete the webhook endpoint again:\n  ${url}`,
};

/** What the suite has to know about a step that is done. */
async function detailsOf({ name }: Step, signal?: AbortSignal): Promise<StepResult> {
  if (name === 'create-endpoint') {
    const secret = (
      await ask('Paste its secret (not shown), or Enter without one: ', { signal, hidden: true })
    ).trim();
    const headers =
      (await ask('Does it have the custom headers? y or n: ', { signal })).trim() === 'y';
    return { kind: 'done', headers, ...(secret === '' ? {} : { secret }) };
  }
  if (name === 'create-run') {
    const runId = (await ask('Paste the id of the run, or Enter without it: ', { signal })).trim();
    return { kind: 'done', statuses: ['completed'], ...(runId === '' ? {} : { runId }) };
  }
  return { kind: 'done' };
}

const ask: Ask = async (question, { signal, hidden = false }) => {
  let quiet = false;
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!quiet) process.stderr.write(chunk);
      done();
    },
  });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  // The terminal is in raw mode while it waits, and would swallow the signal.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    const line = terminal.question(question, signal === undefined ? {} : { signal });
    quiet = hidden;
    return await line;
  } finally {
    terminal.close();
    if (hidden) process.stderr.write('\n');
  }
};

import type { RunStatus } from '@hookproof/spec';

import type { WantedRun } from '../../../driver/sender-driver.ts';

/** A run to create, and the statuses to move it to. */
export interface PlannedRun {
  readonly wanted: WantedRun;
  readonly path: readonly RunStatus[];
}

/** A result with characters of one to four bytes in UTF-8, and with characters that JSON escapes. */
export const OUTPUT: unknown = {
  text: 'Grüße – 你好 – 🚀 – "quoted" \\ \n\t',
  list: [1.5, true, null],
};
/** Sizes between those of usual events and of those that a limit can be expected to exclude. */
const MEDIUM_OUTPUTS: readonly unknown[] = [16, 60].map((kibibytes) => ({
  text: 'Größe 12 € – '.repeat((kibibytes * 1024) / 18),
}));
/** Larger than an event can be expected to be. */
const LARGE_OUTPUT: unknown = { text: 'x'.repeat(400_000) };

/** A run without events. It ends first, so that its events would arrive before those of others. */
const SILENT_PATH: readonly RunStatus[] = ['running', 'finalizing', 'completed'];

/** Every ending and every change between two statuses, over runs of both types and of all named triggers. */
export const PLANNED_RUNS: readonly PlannedRun[] = [
  plan('workflow', 'api', ['running', 'waiting', 'running', 'finalizing', 'completed'], OUTPUT),
  plan('workflow', 'manual', ['running', 'finalizing', 'failed']),
  plan('workflow', 'email', ['cancelled']),
  plan('workflow', 'cron', ['rejected']),
  plan('workflow', 'api', ['running', 'failed']),
  plan('workflow', 'cron', ['running', 'cancelled']),
  plan('workflow', 'email', ['running', 'waiting', 'finalizing', 'cancelled']),
  plan('workflow', 'manual', ['running', 'waiting', 'failed']),
  plan('workflow', 'api', ['running', 'waiting', 'cancelled']),
  plan('agent', 'api', ['running', 'finalizing', 'completed'], OUTPUT),
  plan('agent', 'manual', ['running', 'finalizing', 'failed']),
  plan('agent', 'email', ['cancelled']),
  plan('agent', 'cron', ['rejected']),
  ...MEDIUM_OUTPUTS.map((output) => plan('workflow', 'api', SILENT_PATH, output)),
];

/** Runs without events: of both types where that is possible, with a good end and with a bad one. */
export const SILENT_RUNS: Readonly<Record<'invoked' | 'evaluation', readonly PlannedRun[]>> = {
  invoked: [
    { wanted: { origin: 'invoke-workflow' }, path: SILENT_PATH },
    { wanted: { origin: 'invoke-workflow' }, path: ['running', 'failed'] },
  ],
  evaluation: [
    { wanted: { origin: 'evaluation' }, path: SILENT_PATH },
    { wanted: { origin: 'evaluation' }, path: ['running', 'failed'] },
    { wanted: { origin: 'evaluation', type: 'agent' }, path: SILENT_PATH },
  ],
};

export const LARGE_RUN: PlannedRun = plan(
  'workflow',
  'api',
  ['running', 'finalizing', 'completed'],
  LARGE_OUTPUT,
);

function plan(
  type: 'workflow' | 'agent',
  triggerType: string,
  path: readonly RunStatus[],
  output?: unknown,
): PlannedRun {
  return { wanted: { type, triggerType, ...(output === undefined ? {} : { output }) }, path };
}

import type { RunStatus } from '@hookproof/spec';

import { CHANGES, CREATIONS } from '../../../driver/event-kinds.ts';
import { RESPONSES } from '../../../driver/responses.ts';
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

const TRIGGERS = ['api', 'manual', 'email', 'cron'];
/** How many events of each kind the planned responses need. */
const OF_KIND = {
  creation: 1 + Math.ceil(RESPONSES.length / CREATIONS.length),
  change: 1 + Math.ceil(RESPONSES.length / CHANGES.length),
};

/** Runs with as many events of each kind as the planned responses need. */
export const RUNS_OF_RESPONSES: readonly PlannedRun[] = [
  ...spread('workflow', OF_KIND.creation * TRIGGERS.length, [
    { path: ['running', 'waiting', 'running', 'finalizing', 'completed'] },
    { path: ['running', 'failed'] },
    { path: ['cancelled'] },
    { path: ['rejected'] },
    { path: SILENT_PATH, output: MEDIUM_OUTPUTS.at(-1) },
    { path: SILENT_PATH, output: OUTPUT },
  ]),
  ...spread('agent', OF_KIND.creation, [{ path: SILENT_PATH }]),
];

/** So many runs of a type; of those, as many along each path as a kind of change needs, the others only created. */
function spread(
  type: 'workflow' | 'agent',
  count: number,
  ways: readonly { readonly path: readonly RunStatus[]; readonly output?: unknown }[],
): readonly PlannedRun[] {
  return Array.from({ length: count }, (_none, index) => {
    const way = index < OF_KIND.change * ways.length ? ways[index % ways.length] : undefined;
    const trigger = type === 'agent' ? 'api' : TRIGGERS[index % TRIGGERS.length];
    return plan(type, trigger ?? 'api', way?.path ?? [], way?.output);
  });
}

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

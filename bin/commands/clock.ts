import type { Clock } from '@hookproof/spec/control';
import { Option } from 'commander';
import type { Command } from 'commander';

import { UsageError } from '../command-line/errors.ts';
import { openScreen } from '../command-line/screen.ts';
import { runningControl } from '../running/running-control.ts';

const EXAMPLES = `
A duration is a number with ms, s, m, h or d, or several: 1h30m.

Examples:
  $ hookproof serve --clock virtual
  $ hookproof clock               the time of the server, and what is due next
  $ hookproof clock +1h           advance it: everything that is due happens
  $ hookproof clock next          advance it to what is due next`;

const MILLISECONDS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
/** 366 days, as far as the control interface advances at once. */
const MAX_MILLISECONDS = 31_622_400_000;

/** Adds `hookproof clock`, which shows and advances the clock of the running server. */
export function addClock(program: Command): void {
  const command = program
    .command('clock')
    .description('Shows the clock of the running server, or advances a virtual one.')
    .argument('[step]', '+DURATION or next (default: show the clock)')
    .addOption(new Option('--json', 'print a line of JSON'))
    .addHelpText('after', EXAMPLES)
    .action(async (step?: string) => {
      const screen = openScreen();
      const clock = await moveClock(step);
      const { json } = command.opts<{ readonly json?: true }>();
      screen.print(json === true ? JSON.stringify(clock) : lineOf(clock));
    });
}

/**
 * Advances the clock of the running server, and returns it.
 *
 * @param given - `next` or `+1h`; without one, the clock is only read
 * @throws {UsageError} if no server is running, or its clock is real
 */
export async function moveClock(given?: string): Promise<Clock> {
  const step = stepOf(given);
  const { control } = await runningControl('Start one with hookproof serve --clock virtual.');
  const clock = await control<Clock>('GET', '/clock');
  if (step === null) return clock;
  if (clock.mode === 'real') {
    throw new UsageError(
      'The clock of the server must be virtual to be advanced, got a real clock. Start the server with hookproof serve --clock virtual.',
    );
  }
  const milliseconds = step === 'next' ? untilNext(clock) : step;
  return milliseconds === 0 ? clock : control('POST', '/clock/advance', { milliseconds });
}

/** Returns the step in milliseconds; null to show the clock. */
function stepOf(given: string | undefined): number | 'next' | null {
  if (given === undefined) return null;
  if (given === 'next') return 'next';
  if (given.startsWith('+')) return durationOf(given.slice(1));
  throw new UsageError(
    `clock must be followed by +DURATION or next, got ${given}. An example is hookproof clock +1h.`,
  );
}

function durationOf(text: string): number {
  const parts = [...text.matchAll(/([0-9]{1,11})(ms|s|m|h|d)/g)];
  const isWhole = parts.length > 0 && parts.map(([part]) => part).join('') === text;
  const sum = parts.reduce(
    (total, [, count, unit = '']) => total + Number(count) * (MILLISECONDS[unit] ?? 0),
    0,
  );
  if (isWhole && sum <= MAX_MILLISECONDS) return sum;
  throw new UsageError(
    `A duration must be a number with ms, s, m, h or d, up to 366d, got ${text === '' ? 'nothing' : text}. An example is 1h30m.`,
  );
}

function untilNext({ now, nextDueAt }: Clock): number {
  return nextDueAt == null ? 0 : Math.max(0, Date.parse(nextDueAt) - Date.parse(now));
}

function lineOf({ mode, now, nextDueAt }: Clock): string {
  if (mode === 'real') return `${now}  real clock`;
  const next = nextDueAt == null ? 'nothing is due' : `next due ${nextDueAt}`;
  return `${now}  virtual clock  ${next}`;
}

import { numbersIn, optionalFunction } from '../argument-checks.ts';
import type { FetchRun } from '../fetch-run/fetched-run.ts';
import type { Mode, OrderSettings } from './next-in-order.ts';

/** How runs are handled. */
export interface RunOptions {
  /** `live`: each event at once. `ordered`: each run in order. Default: `live`. */
  readonly mode?: Mode;
  /**
   * `ordered`: how long an event waits for missing earlier events, in milliseconds from its
   * acceptance. Default: 60,000.
   */
  readonly gapGraceMilliseconds?: number;
  /**
   * `ordered`: how long the newest event of a run is held back, in milliseconds from its
   * acceptance. A run that left a status and came back to it before this event can be missing there
   * without a gap. Default: 1,000.
   */
  readonly roundTripGraceMilliseconds?: number;
  /**
   * Reads a run, for instance with `GET /v1/runs/{id}`. Called when an event omits its output, and
   * in `ordered` mode to confirm the end of a run with missing events. An exception counts as one
   * of the handler. Default: outputs are not filled in, and ends are not confirmed.
   */
  readonly fetchRun?: FetchRun;
}

/** The options, checked once, with every default filled in. */
export interface RunSettings extends OrderSettings {
  readonly fetchRun: FetchRun | undefined;
}

/** The options that are numbers. The doc comments above state the same defaults, for people. */
export const RUN_NUMBERS = {
  gapGraceMilliseconds: { least: 0, default: 60_000 },
  roundTripGraceMilliseconds: { least: 0, default: 1_000 },
} as const;

export const RUN_OPTIONS: readonly string[] = [
  ...(['mode', 'fetchRun'] as const),
  ...Object.keys(RUN_NUMBERS),
];

/** @throws {TypeError} When an option is invalid; the message names the option. */
export function runSettings(options: RunOptions): RunSettings {
  const { mode = 'live', fetchRun } = options;
  optionalFunction('fetchRun', fetchRun);
  if (mode !== 'live' && mode !== 'ordered') {
    throw new TypeError(`mode must be 'live' or 'ordered', got ${JSON.stringify(mode)}.`);
  }
  return { ...numbersIn(RUN_NUMBERS, options), mode, fetchRun };
}

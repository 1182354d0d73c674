import { RUN_STATUSES } from '../generated/constants.ts';
import type { RunEvent, RunStatus } from '../generated/run-events.ts';
import { kindOf } from '../argument-checks.ts';
import { FetchRunError } from './fetch-run-error.ts';

/**
 * A run as `GET /v1/runs/{id}` returns it, or as `data.run` of an event. Only these members are
 * read; a client's own type with more members fits.
 */
export interface FetchedRun {
  /** The id of the run that was read; it must be the one that was asked for. */
  readonly id?: string;
  /** The status of the run. */
  readonly status?: string;
  /** Some clients keep the status here; read when there is no `status`. */
  readonly execution?: { readonly status?: string } | null;
  /** Required when the event omits its output. */
  readonly output?: unknown;
}

/**
 * Reads the current state of a run. `event` is the one being handled. `signal` is aborted when the
 * handler's time is over or the receiver closes.
 */
export type FetchRun = (
  runId: string,
  event: RunEvent,
  options: {
    /** Pass it to `fetch`. */
    readonly signal: AbortSignal;
  },
) => Promise<FetchedRun>;

/** What the receiver uses of a fetched run. */
export interface RunReading {
  /** `null`: a status that this release does not know. */
  readonly status: RunStatus | null;
  /** `undefined`: the event does not omit its output, and the run has none. */
  readonly output: unknown;
}

/**
 * Returns status and output of what `fetchRun` returned for the run of an event.
 *
 * @throws {FetchRunError} For another run, and when the status or a needed output is missing. The
 * message says what was expected and what to return instead.
 */
export function readFetchedRun(fetched: unknown, event: RunEvent): RunReading {
  const { id, outputOmitted } = event.data.run;
  if (!isMembers(fetched)) throw notARun(fetched);
  if (fetched['id'] !== undefined && fetched['id'] !== id) {
    throw new FetchRunError(
      `fetchRun must return the run ${id}, got a run with another id. Read the run that its first argument names.`,
    );
  }
  const status = statusOf(fetched);
  if (outputOmitted === true && fetched['output'] === undefined) {
    throw new FetchRunError(
      `fetchRun must return the run ${id} with its output, because the event omits it, got a run without ` +
        'the member output. Return the response of GET /v1/runs/{id} unchanged.',
    );
  }
  return { status, output: fetched['output'] };
}

function statusOf(fetched: Members): RunStatus | null {
  const { status, execution } = fetched;
  const found = status ?? (isMembers(execution) ? execution['status'] : undefined);
  if (typeof found !== 'string') throw notARun(fetched);
  return RUN_STATUSES.find((known) => known === found) ?? null;
}

type Members = Readonly<Record<string, unknown>>;

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function notARun(fetched: unknown): FetchRunError {
  const kind = kindOf(fetched);
  return new FetchRunError(
    `fetchRun must return a run, an object with a status, got ${kind === 'object' ? 'one without it' : kind}. ` +
      'Return the parsed JSON of GET /v1/runs/{id} unchanged.',
  );
}

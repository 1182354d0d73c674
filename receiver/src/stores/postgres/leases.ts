import { isTrue, jobEvent, number, numberOrNull, text, textOrNull } from '../rows.ts';
import type {
  Finished,
  JobEvent,
  Lease,
  LeasedJob,
  Next,
  Outcome,
  SqlStatement,
  Taken,
  TakeRequest,
} from '../store.ts';
import { Batches } from './batches.ts';
import type { Query, SqlRow } from './driver.ts';
import { isAboutStatement } from './failures.ts';
import { FORMAT, mismatch } from './format.ts';
import {
  beginStatement,
  EVENT,
  eventsStatement,
  finishStatement,
  renewStatement,
  settleStatement,
  TAKEN,
  takeStatement,
} from './lease-statements.ts';
import { bytesOrNull, json, numbers } from './rows.ts';

/** How soon to look again when everything that is due is locked, for instance by a delivery. */
const LOCKED_MILLISECONDS = 20;

interface Finishing {
  readonly lease: Lease;
  readonly outcomes: readonly Outcome[];
  readonly next: Next;
}

/** Takes jobs, and reads and writes what their holder may. */
export class Leases {
  readonly #query: Query;
  readonly #schema: string;
  readonly #begins: Batches<{ readonly lease: Lease; readonly id: string }, Uint8Array | null>;
  readonly #reads: Batches<
    { readonly lease: Lease; readonly after: number },
    readonly JobEvent[] | null
  >;
  readonly #finishes: Batches<Finishing, Finished>;
  /**
   * The last position that the holder has seen, by job. An event after it makes the job due at the
   * end of the lease. A lease that this process does not know has seen nothing.
   */
  readonly #seen = new Map<string, { readonly token: number; position: number }>();

  constructor(query: Query, schema: string) {
    this.#query = query;
    this.#schema = schema;
    const isAboutOne = isAboutStatement;
    this.#begins = new Batches({ isAboutOne, send: (asked) => this.#sendBegins(asked) });
    this.#reads = new Batches({ isAboutOne, send: (asked) => this.#sendReads(asked) });
    this.#finishes = new Batches({ isAboutOne, send: (asked) => this.#sendFinishes(query, asked) });
  }

  /**
   * @throws {StoreError} `store_schema_mismatch` when a newer process has changed the tables so
   * that this cannot go on.
   */
  async take({ holder, inHand, limit, leaseFor }: TakeRequest): Promise<Taken> {
    const values = [holder, numbers(inHand), String(limit), String(leaseFor)];
    const { rows } = await this.#query(takeStatement(this.#schema), values, TAKEN.names);
    const [first = {}] = rows;
    const least = number(first, 'least');
    if (least > FORMAT) {
      throw mismatch(
        `Schema ${this.#schema} must have tables with which format ${FORMAT} can go on, got format ${least} of a ` +
          'newer version of @hookproof/receiver. Install that version.',
      );
    }
    const byJob = new Map<string, SqlRow[]>();
    for (const row of rows) {
      const job = textOrNull(row, 'job');
      if (job === null) continue;
      const events = byJob.get(job);
      if (events === undefined) byJob.set(job, [row]);
      else events.push(row);
    }
    const kept = new Set([...inHand, ...byJob.keys()]);
    for (const job of this.#seen.keys()) if (!kept.has(job)) this.#seen.delete(job);
    const jobs = [...byJob.values()].map((events) => this.#leased(events));
    const nextIn = numberOrNull(first, 'next_in');
    const soonest = jobs.length === 0 ? LOCKED_MILLISECONDS : 0;
    return { jobs, nextIn: nextIn === null ? null : Math.max(nextIn, soonest) };
  }

  events(lease: Lease, after: number): Promise<readonly JobEvent[] | null> {
    return this.#reads.call({ lease, after });
  }

  async renew({ job, token }: Lease, leaseFor: number): Promise<boolean> {
    const values = [job, String(token), String(leaseFor)];
    return (await this.#query(renewStatement(this.#schema), values)).rowCount > 0;
  }

  begin(lease: Lease, id: string): Promise<Uint8Array | null> {
    return this.#begins.call({ lease, id });
  }

  finish(lease: Lease, outcomes: readonly Outcome[], next: Next): Promise<Finished> {
    return this.#finishes.call({ lease, outcomes, next });
  }

  /** The same on a connection with an open transaction. */
  async finishIn(
    transaction: Query,
    lease: Lease,
    outcomes: readonly Outcome[],
    next: Next,
  ): Promise<Finished> {
    const [finished] = await this.#sendFinishes(transaction, [{ lease, outcomes, next }]);
    return finished ?? LOST;
  }

  settlement(
    { job, token }: Lease,
    { id, settlesJob, keepBodyFor }: Outcome & { readonly as: 'handled' },
  ): readonly SqlStatement[] {
    const values = [settlesJob ? id : null, job, String(token), id, String(keepBodyFor)];
    return [{ text: settleStatement(this.#schema), values }];
  }

  /**
   * The rows have the events of one job. One that was accepted in this moment may be missing, so it
   * is not seen.
   */
  #leased(rows: readonly SqlRow[]): LeasedJob {
    const [first = {}] = rows;
    const lease = { job: text(first, 'job'), token: number(first, 'token') };
    const events = rows.map(jobEventOf);
    const lastPosition = events.at(-1)?.position ?? 0;
    this.#seen.set(lease.job, { token: lease.token, position: lastPosition });
    return {
      lease,
      events,
      lastPosition,
      source: text(first, 'source'),
      key: textOrNull(first, 'key'),
      isSettled: isTrue(first, 'is_settled'),
    };
  }

  async #sendBegins(
    asked: readonly { readonly lease: Lease; readonly id: string }[],
  ): Promise<readonly (Uint8Array | null)[]> {
    const given = asked.map(({ lease: { job, token }, id }, n) => ({ n, job, token, id }));
    const bodies: (Uint8Array | null)[] = asked.map(() => null);
    const { rows } = await this.#query(beginStatement(this.#schema), [json(given)], ['n', 'body']);
    for (const row of rows) bodies[number(row, 'n')] = bytesOrNull(row, 'body');
    return bodies;
  }

  async #sendReads(
    asked: readonly { readonly lease: Lease; readonly after: number }[],
  ): Promise<readonly (readonly JobEvent[] | null)[]> {
    const given = asked.map(({ lease: { job, token }, after }, n) => ({ n, job, token, after }));
    const found: (JobEvent[] | null)[] = asked.map(() => null);
    const names = ['n', ...EVENT.names];
    const { rows } = await this.#query(eventsStatement(this.#schema), [json(given)], names);
    for (const row of rows) {
      const events = (found[number(row, 'n')] ??= []);
      if (textOrNull(row, 'id') !== null) events.push(jobEventOf(row));
    }
    for (const [n, { lease, after }] of asked.entries()) {
      const seen = this.#seen.get(lease.job);
      const last = found[n]?.at(-1)?.position ?? after;
      if (seen?.token === lease.token) seen.position = Math.max(seen.position, last);
    }
    return found;
  }

  async #sendFinishes(query: Query, asked: readonly Finishing[]): Promise<readonly Finished[]> {
    const leases = asked.map(({ lease: { job, token }, outcomes, next }, n) => {
      const seen = this.#seen.get(job);
      const settling = outcomes.find((outcome) => outcome.as === 'handled' && outcome.settlesJob);
      return {
        n,
        job,
        token,
        is_kept: next.do === 'hold',
        milliseconds: next.do === 'hold' ? next.leaseFor : next.dueIn,
        next: next.do === 'hold' ? next.begin : null,
        seen: seen?.token === token ? seen.position : 0,
        settled_by: settling?.id ?? null,
      };
    });
    const outcomes = asked.flatMap(({ outcomes: ofOne }, n) => ofOne.map((one) => written(one, n)));
    const values = [json(leases), json(outcomes), String(query === this.#query)];
    const names = ['n', 'last_position', 'body'];
    const finished: Finished[] = asked.map(() => LOST);
    for (const row of (await query(finishStatement(this.#schema), values, names)).rows) {
      const lastPosition = number(row, 'last_position');
      finished[number(row, 'n')] = { isHeld: true, lastPosition, body: bytesOrNull(row, 'body') };
    }
    return finished;
  }
}

const LOST: Finished = { isHeld: false, lastPosition: 0, body: null };

const STATES = { handled: 'handled', failed: 'open', dead: 'dead' } as const;

/** An outcome as the statement reads it. */
function written(outcome: Outcome, n: number): object {
  const { id, as } = outcome;
  const attempt = as === 'handled' ? null : outcome.attempt;
  return {
    n,
    id,
    attempt,
    state: STATES[as],
    due_in: as === 'failed' ? outcome.dueIn : null,
    error: as === 'dead' ? outcome.error : (attempt?.error ?? null),
    reason: as === 'dead' ? outcome.reason : null,
    keep: as === 'handled' ? outcome.keepBodyFor : null,
  };
}

function jobEventOf(row: SqlRow): JobEvent {
  return jobEvent(row, () => ({
    age: number(row, 'age'),
    dueIn: numberOrNull(row, 'due_in') ?? 0,
    failingFor: numberOrNull(row, 'failing_for') ?? 0,
  }));
}

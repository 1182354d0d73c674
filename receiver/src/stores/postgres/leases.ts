import type {
  EventArrival,
  Finished,
  KnownEvent,
  Lease,
  LeasedJob,
  Next,
  OpenEvent,
  Outcome,
  SqlStatement,
  Store,
  TakeRequest,
  JobEvents,
} from '../store.ts';
import { MAX_EVENTS, MAX_SETTLED_BEFORE } from '../store.ts';
import { textArray } from './driver.ts';
import type { Query, SqlRow, SqlValue } from './driver.ts';
import {
  boolean,
  bytesOrNull,
  knownEvent,
  number,
  numberOrNull,
  openEvent,
  text,
  textOrNull,
} from './rows.ts';
import {
  beginStatement,
  bodiesStatement,
  BODY_COLUMNS,
  finishStatement,
  keepArrivalsStatement,
  LEASED_COLUMNS,
  leasedEventsStatement,
  NEAR_COLUMNS,
  nearStatement,
  NEWS_COLUMNS,
  newsStatement,
  nextDueStatement,
  renewStatement,
  settleStatement,
  TAKEN_COLUMNS,
  takeStatement,
  waitingStatement,
} from './job-statements.ts';

type Settled = Parameters<NonNullable<Store['settlement']>>[2];

/** Takes jobs, and reads and writes what their holder may. */
export class Leases {
  readonly #query: Query;
  readonly #schema: string;
  /**
   * The last position that the holder has seen, by job. An event after it makes the job due at the
   * end of the lease. A lease that this process does not know has seen nothing.
   */
  readonly #seen = new Map<string, { readonly token: number; position: number }>();

  constructor(query: Query, schema: string) {
    this.#query = query;
    this.#schema = schema;
  }

  async take({ holder, inHand, limit, leaseFor }: TakeRequest): Promise<readonly LeasedJob[]> {
    const values = [holder, textArray(inHand), String(limit), String(leaseFor)];
    const { rows: taken } = await this.#query(takeStatement(this.#schema), values, TAKEN_COLUMNS);
    if (taken.length === 0) return [];
    const jobs = taken.map((row) => text(row, 'job'));
    const { rows } = await this.#query(
      leasedEventsStatement(this.#schema),
      [textArray(jobs)],
      LEASED_COLUMNS,
    );
    const byJob = new Map<string, SqlRow[]>(jobs.map((job) => [job, []]));
    for (const row of rows) byJob.get(text(row, 'job'))?.push(row);
    const kept = new Set([...inHand, ...jobs]);
    for (const job of this.#seen.keys()) if (!kept.has(job)) this.#seen.delete(job);
    return taken.map((row) => {
      const lease = { job: text(row, 'job'), token: number(row, 'token') };
      const lastPosition = number(row, 'last_position');
      this.#seen.set(lease.job, { token: lease.token, position: lastPosition });
      const found = byJob.get(lease.job) ?? [];
      const before = found.filter((event) => number(event, 'part') === 0);
      const waiting = jobEvents(found.filter((event) => number(event, 'part') === 1));
      const settled = before.slice(-MAX_SETTLED_BEFORE).flatMap((event) => knownEvent(event) ?? []);
      return {
        lease,
        runId: textOrNull(row, 'run_id'),
        isRunSettled: textOrNull(row, 'settled_by') !== null,
        order: textOrNull(row, 'run_order'),
        lastPosition,
        open: waiting.open,
        hasMoreAfter: waiting.hasMoreAfter,
        known: [...settled, ...waiting.known],
        hasMoreBefore: before.length > MAX_SETTLED_BEFORE,
      };
    });
  }

  async bodies(lease: Lease, ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const { rows } = await this.#query(
      bodiesStatement(this.#schema),
      [...holding(lease), textArray(ids)],
      BODY_COLUMNS,
    );
    return new Map(rows.map((row) => [text(row, 'id'), bytesOrNull(row, 'body') ?? EMPTY]));
  }

  async news(lease: Lease, afterPosition: number): Promise<JobEvents | null> {
    const values = [...holding(lease), String(afterPosition)];
    const { rows } = await this.#query(newsStatement(this.#schema), values, NEWS_COLUMNS);
    const [first] = rows;
    if (first === undefined) return null;
    const events = jobEvents(rows);
    const position = events.known.at(-1)?.position ?? afterPosition;
    const seen = this.#seen.get(lease.job);
    if (seen?.token === lease.token) seen.position = Math.max(seen.position, position);
    return { ...events, hasMoreAfter: number(first, 'last') > position };
  }

  async waiting(lease: Lease, afterPlace: string): Promise<JobEvents | null> {
    const values = [...holding(lease), afterPlace];
    const { rows } = await this.#query(waitingStatement(this.#schema), values, LEASED_COLUMNS);
    return rows.length === 0 ? null : jobEvents(rows);
  }

  async near(lease: Lease, place: string, limit: number): Promise<readonly KnownEvent[] | null> {
    const values = [...holding(lease), place, String(limit)];
    const { rows } = await this.#query(nearStatement(this.#schema), values, NEAR_COLUMNS);
    return rows.length === 0 ? null : jobEvents(rows, Infinity).known;
  }

  async keepArrivals(lease: Lease, arrivals: readonly EventArrival[]): Promise<boolean> {
    const { rows } = await this.#query(
      keepArrivalsStatement(this.#schema),
      [
        ...holding(lease),
        textArray(arrivals.map(({ id }) => id)),
        textArray(arrivals.map(({ arrival }) => arrival)),
      ],
      ['is_held'],
    );
    return boolean(rows[0] ?? {}, 'is_held');
  }

  async renew(lease: Lease, leaseFor: number): Promise<boolean> {
    const values = [...holding(lease), String(leaseFor)];
    return (await this.#query(renewStatement(this.#schema), values)).rowCount > 0;
  }

  async begin(lease: Lease, id: string): Promise<boolean> {
    const values = [...holding(lease), id];
    return (await this.#query(beginStatement(this.#schema), values)).rowCount > 0;
  }

  /** `query` is that of a connection with an open transaction, or absent. */
  async finish(
    lease: Lease,
    outcomes: readonly Outcome[],
    next: Next,
    order: string | null,
    query?: Query,
  ): Promise<Finished> {
    const seen = this.#seen.get(lease.job);
    const position = seen?.token === lease.token ? seen.position : 0;
    const { rows } = await (query ?? this.#query)(
      finishStatement(this.#schema),
      [
        ...holding(lease),
        String(query === undefined),
        String(next.do === 'hold'),
        textOf(next.do === 'hold' ? next.leaseFor : next.dueIn),
        next.do === 'hold' ? (next.begin ?? null) : null,
        String(position),
        ...outcomeValues(outcomes, order),
      ],
      ['last_position'],
    );
    const lastPosition = numberOrNull(rows[0] ?? {}, 'last_position');
    return { isHeld: lastPosition !== null, lastPosition: lastPosition ?? 0 };
  }

  settlement(
    lease: Lease,
    id: string,
    { runSettled, order, keepBodyFor }: Settled,
  ): readonly SqlStatement[] {
    const values = [runSettled ? id : null, order, ...holding(lease), id, keepBodyFor, id];
    return [{ text: settleStatement(this.#schema), values }];
  }

  async nextDueIn({
    holder,
    inHand,
  }: Pick<TakeRequest, 'holder' | 'inHand'>): Promise<number | null> {
    const values = [holder, textArray(inHand)];
    const { rows } = await this.#query(nextDueStatement(this.#schema), values, ['due_in']);
    const dueIn = numberOrNull(rows[0] ?? {}, 'due_in');
    return dueIn === null ? null : Math.max(dueIn, 0);
  }
}

const EMPTY = new Uint8Array();

function textOf(value: number | null): string | null {
  return value === null ? null : String(value);
}

/** The token goes as a text, because some client libraries send a large number as a float. */
function holding({ job, token }: Lease): [string, string] {
  return [job, String(token)];
}

function jobEvents(rows: readonly SqlRow[], limit: number = MAX_EVENTS): JobEvents {
  const open: OpenEvent[] = [];
  const known: KnownEvent[] = [];
  const found = rows.filter(({ id }) => id != null);
  for (const row of found.slice(0, limit)) {
    if (row['state'] === 'open') open.push(openEvent(row));
    const event = knownEvent(row);
    if (event !== null) known.push(event);
  }
  return { open, known, hasMoreAfter: found.length > limit };
}

const STATES = { settled: 'settled', failed: 'open', dead: 'dead' } as const;

function outcomeValues(outcomes: readonly Outcome[], order: string | null): SqlValue[] {
  return [
    outcomes.find((outcome) => outcome.as === 'settled' && outcome.runSettled)?.id ?? null,
    order,
    textArray(outcomes.map(({ id }) => id)),
    textArray(outcomes.map((outcome) => STATES[outcome.as])),
    textArray(outcomes.map((outcome) => (outcome.as === 'failed' ? outcome.dueIn : null))),
    textArray(outcomes.map((outcome) => (outcome.as === 'settled' ? null : outcome.error))),
    textArray(outcomes.map((outcome) => (outcome.as === 'dead' ? outcome.reason : null))),
    textArray(outcomes.map((outcome) => (isFailure(outcome) ? 1 : 0))),
    textArray(outcomes.map((outcome) => (outcome.as === 'settled' ? outcome.keepBodyFor : null))),
  ];
}

function isFailure(outcome: Outcome): boolean {
  return outcome.as === 'failed' || (outcome.as === 'dead' && outcome.isFailure);
}

import { knownOptions } from '../../argument-checks.ts';
import { orderPlace } from '../../order/order-key.ts';
import { expiringGoneHolders } from '../holder.ts';
import { inParts } from '../in-parts.ts';
import { cursorNumber, noCursor, pageOf } from '../page.ts';
import { StoreError } from '../store-error.ts';
import { MAX_SETTLED_BEFORE } from '../store.ts';
import type {
  AcceptOutcome,
  DeadLetterFilter,
  DeadLetterPage,
  EventArrival,
  Finished,
  IncomingEvent,
  KnownEvent,
  Lease,
  LeasedJob,
  Next,
  OpenEventPage,
  PageRequest,
  RunPage,
  Outcome,
  ReplayFilter,
  Store,
  StoredEvent,
  StoreHost,
  StoreStats,
  TakeRequest,
  JobEvents,
} from '../store.ts';
import { connectionOf } from './client.ts';
import type { Connection, RedisClient } from './client.ts';
import { FINISH } from './finish-script.ts';
import {
  BODY,
  COUNT_DEAD,
  DEAD_LETTERS,
  DISCARD,
  HISTORY,
  INSPECT,
  LIST_RUNS,
  NOW,
  OPEN_EVENTS,
  PAUSE,
  PURGE,
  PURGE_BODIES,
  READ_PAUSED,
  REDRIVE,
  MAKE_DUE,
  RESUME,
  STATS,
} from './keeping-scripts.ts';
import type { DeadLetterScripts } from './keeping-scripts.ts';
import {
  BEGIN,
  BODIES,
  EXPIRE,
  HOLDERS,
  KEEP_ARRIVALS,
  NEAR,
  NEWS,
  NEXT_DUE,
  RENEW,
  TAKE,
  WAITING,
} from './lease-scripts.ts';
import { REPLAY_IDS, REPLAY_SOME } from './replay-scripts.ts';
import {
  bytesIn,
  deadLetterIn,
  historyIn,
  listIn,
  numberIn,
  openEventIn,
  runIdOf,
  storedEventIn,
  storedRunIn,
  textIn,
  timeIn,
  jobEventsIn,
} from './replies.ts';
import type { FoundDeadLetter } from './replies.ts';
import type { Script } from './script.ts';
import { Session } from './session.ts';

export type { IoredisClient, NodeRedisClient, RedisClient } from './client.ts';

export interface RedisStoreOptions {
  /**
   * A client of `ioredis` 6, or a connected client of `redis` 6. It stays yours: the store does not close
   * it. Listen to its `error` events.
   */
  readonly client: RedisClient;
  /**
   * Separates the events of several receivers on one server: letters, digits, `.`, `_`, `-`. All keys
   * begin with `{hookproof:NAME}`. Default: `default`.
   */
  readonly name?: string;
  /**
   * `required`: `open()` rejects with `store_not_durable` unless the server keeps each accepted event
   * over a crash. `relaxed`: accept that a crash of the server loses the events that it has not synced
   * (with its defaults all events since the last snapshot). Default: `required`.
   */
  readonly durability?: 'required' | 'relaxed';
}

const REDIS_STORE_OPTIONS: readonly (keyof RedisStoreOptions)[] = ['client', 'name', 'durability'];

/** Number of dead letters that one script changes by id, and of events that one purge forgets. */
const MAX_SCRIPT_EVENTS = 500;
/** The server does nothing else meanwhile: about ten milliseconds. */
const MAX_MADE_DUE = 1_000;

/**
 * Creates a store in a Redis server, version 7.0 or later, that any number of processes on any number
 * of machines share. Each operation is one script, which runs alone; `redrive`, `purge` and `resume`
 * are scripts of up to 500 or 1,000 events each.
 *
 * An accepted event is on the server's disk before the response. That needs `appendonly yes` with
 * `appendfsync always`, and a server that evicts nothing. When a failover makes a replica the primary, events
 * that had not reached it are lost.
 *
 * When the memory of the server is full, `accept` rejects with `store_full`, and handling continues.
 *
 * Requirements: `receiver.duplicate.single-effect`.
 *
 * @throws {TypeError} When an option is invalid or the client is of another library.
 * @example
 * ```ts
 * import { createReceiver } from '@hookproof/receiver';
 * import { redisStore } from '@hookproof/receiver/redis';
 * import { Redis } from 'ioredis';
 *
 * export const receiver = createReceiver({
 *   secrets: process.env['WEBHOOK_SECRET'] ?? '',
 *   store: redisStore({ client: new Redis('redis://127.0.0.1:6379') }),
 *   handlers: { event: ({ id, type }) => console.log(id, type) },
 * });
 * ```
 */
export function redisStore(options: RedisStoreOptions): Store<undefined> {
  knownOptions(options, REDIS_STORE_OPTIONS);
  const { client, name = 'default', durability = 'required' } = options;
  if (typeof name !== 'string' || !/^[\w.-]{1,64}$/.test(name)) {
    throw new TypeError(
      `name must be 1 to 64 letters, digits, ".", "_" or "-", got ${JSON.stringify(name)}.`,
    );
  }
  if (durability !== 'required' && durability !== 'relaxed') {
    throw new TypeError(
      `durability must be "required" or "relaxed", got ${JSON.stringify(durability)}.`,
    );
  }
  return new RedisStore(connectionOf(client), {
    prefix: `{hookproof:${name}}`,
    isRelaxed: durability === 'relaxed',
  });
}

/** Its operations are own properties, so that `{ ...store, accept }` replaces one of them. */
class RedisStore implements Store<undefined> {
  readonly #connection: Connection;
  readonly #options: { readonly prefix: string; readonly isRelaxed: boolean };
  #session: Session | null = null;
  #expireGoneHolders: (() => Promise<void>) | null = null;

  constructor(connection: Connection, options: { prefix: string; isRelaxed: boolean }) {
    this.#connection = connection;
    this.#options = options;
  }

  readonly open = async (host: StoreHost): Promise<void> => {
    if (this.#session !== null) return;
    const session = new Session(this.#connection, host, this.#options);
    try {
      await session.start();
    } catch (error) {
      await session.stop();
      throw error;
    }
    this.#session = session;
    this.#expireGoneHolders = expiringGoneHolders(host.clock, {
      holders: async () => listIn(await session.run(HOLDERS, [])).map(textIn),
      expire: (holders) => session.run(EXPIRE, holders),
    });
  };

  readonly accept = async (event: IncomingEvent): Promise<AcceptOutcome> =>
    this.#opened().accept(event);

  readonly take = async (request: TakeRequest): Promise<readonly LeasedJob[]> => {
    const { holder, inHand, limit, leaseFor } = request;
    const args = [holder, String(limit), String(Math.ceil(leaseFor)), ...inHand];
    const [time, jobs] = listIn(await this.#opened().run(TAKE, args));
    return listIn(jobs).map((job) => leasedJobIn(job, numberIn(time)));
  };

  readonly bodies = async (
    lease: Lease,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Uint8Array>> => {
    const args = [lease.job, String(lease.token), ...ids];
    const reply = listIn(await this.#opened().run(BODIES, args));
    const bodies = new Map<string, Uint8Array>();
    for (let index = 0; index + 1 < reply.length; index += 2) {
      bodies.set(textIn(reply[index]), bytesIn(reply[index + 1]));
    }
    return bodies;
  };

  readonly news = async (lease: Lease, afterPosition: number): Promise<JobEvents | null> => {
    const args = [lease.job, String(lease.token), String(afterPosition)];
    const reply = await this.#opened().run(NEWS, args);
    if (reply === null) return null;
    return pageIn(reply);
  };

  readonly waiting = async (lease: Lease, afterPlace: string): Promise<JobEvents | null> => {
    const reply = await this.#opened().run(WAITING, [...holding(lease), afterPlace]);
    return reply === null ? null : pageIn(reply);
  };

  readonly near = async (
    lease: Lease,
    place: string,
    limit: number,
  ): Promise<readonly KnownEvent[] | null> => {
    const args = [...holding(lease), place, String(limit)];
    const reply = await this.#opened().run(NEAR, args);
    if (reply === null) return null;
    const [now, events] = listIn(reply);
    const { known } = jobEventsIn(events, numberIn(now));
    return known.toSorted(byPlace);
  };

  readonly keepArrivals = async (
    lease: Lease,
    arrivals: readonly EventArrival[],
  ): Promise<boolean> => {
    const values = arrivals.flatMap(({ id, arrival }) => [id, arrival.charAt(0)]);
    return (await this.#opened().run(KEEP_ARRIVALS, [...holding(lease), ...values])) === 1;
  };

  readonly renew = async (lease: Lease, leaseFor: number): Promise<boolean> => {
    const args = [lease.job, String(lease.token), String(Math.ceil(leaseFor))];
    return (await this.#opened().run(RENEW, args)) === 1;
  };

  readonly begin = async (lease: Lease, id: string): Promise<boolean> =>
    (await this.#opened().run(BEGIN, [lease.job, String(lease.token), id])) === 1;

  readonly finish = async (
    lease: Lease,
    outcomes: readonly Outcome[],
    next: Next,
    order: string | null = null,
  ): Promise<Finished> => {
    const session = this.#opened();
    const args = [
      session.name,
      lease.job,
      String(lease.token),
      ...nextArguments(next),
      order ?? '',
    ];
    const reply = await session.run(FINISH, [...args, ...outcomes.flatMap(outcomeArguments)]);
    const [isHeld, lastPosition] = listIn(reply).map(numberIn);
    return { isHeld: isHeld === 1, lastPosition: lastPosition ?? 0 };
  };

  readonly nextDueIn = async ({
    holder,
    inHand,
  }: Pick<TakeRequest, 'holder' | 'inHand'>): Promise<number | null> => {
    const session = this.#opened();
    await this.#expireGoneHolders?.();
    const reply = await session.run(NEXT_DUE, [holder, ...inHand]);
    return reply === null ? null : numberIn(reply);
  };

  readonly stats = async (): Promise<StoreStats> => {
    const reply = listIn(await this.#opened().run(STATS, []));
    const [open = 0, due = 0, inHand = 0, dead = 0, settled = 0, oldest] = reply.map(numberIn);
    return { open, due, inHand, dead, settled, oldestOpen: oldest ?? null };
  };

  readonly inspect = async (id: string): Promise<StoredEvent | null> => {
    const reply = await this.#opened().run(INSPECT, [id]);
    if (reply === null) return null;
    return storedEventIn(reply, timeIn(listIn(reply)[3]));
  };

  readonly history = async (runId: string): Promise<readonly KnownEvent[]> => {
    return historyIn(await this.#opened().run(HISTORY, [`run:${runId}`]));
  };

  readonly openEvents = async (
    { after, limit }: PageRequest,
    runId?: string,
  ): Promise<OpenEventPage> => {
    const [, time = '', ref = ''] = /^(\d+):(.+)$/s.exec(after ?? '') ?? [];
    if (after !== null && ref === '') throw noCursor(after);
    const args = [time, ref, String(limit + 1), runId ?? ''];
    const reply = listIn(await this.#opened().run(OPEN_EVENTS, args));
    const [now, ...replies] = reply;
    const found = replies.map((each) => openEventIn(each, numberIn(now)));
    return pageOf(found, limit, {
      itemOf: ({ event }) => event,
      cursorOf: ({ cursor }) => cursor,
    });
  };

  readonly pause = async (name: string): Promise<void> => {
    await this.#opened().runDurably(PAUSE, [name]);
  };

  readonly resume = async (name: string): Promise<void> => {
    const session = this.#opened();
    if (numberIn(await session.runDurably(RESUME, [name])) === 0) return;
    let count;
    do count = numberIn(await session.runDurably(MAKE_DUE, [session.name, String(MAX_MADE_DUE)]));
    while (count === MAX_MADE_DUE);
  };

  readonly paused = async (): Promise<readonly string[]> => {
    const reply = await this.#opened().run(READ_PAUSED, []);
    return (reply instanceof Set ? [...reply] : listIn(reply)).map(textIn).toSorted();
  };

  readonly deadLetters = async (
    { after, limit }: PageRequest,
    filter: DeadLetterFilter = {},
  ): Promise<DeadLetterPage> => {
    const found: FoundDeadLetter[] = [];
    let next: string | null = String(cursorNumber(after) ?? 0);
    if (filter.ids !== undefined) {
      const named = await this.#named(filter.ids, filter);
      found.push(...named.filter(({ sequence }) => sequence > Number(next)));
      next = null;
    }
    while (next !== null && found.length <= limit) {
      const args = [next, String(limit + 1 - found.length), ...filterArguments(filter)];
      const [last, ...letters] = listIn(await this.#opened().run(DEAD_LETTERS, args));
      found.push(...letters.map(deadLetterIn));
      next = last === null ? null : String(numberIn(last));
    }
    return pageOf(found, limit, {
      itemOf: ({ letter }) => letter,
      cursorOf: ({ sequence }) => String(sequence),
    });
  };

  readonly runs = async (
    { after, limit }: PageRequest,
    automationId?: string,
  ): Promise<RunPage> => {
    const args = [String(cursorNumber(after) ?? '+inf'), String(limit + 1), automationId ?? ''];
    const reply = listIn(await this.#opened().run(LIST_RUNS, args));
    return pageOf(reply.map(storedRunIn), limit, {
      itemOf: ({ run }) => run,
      cursorOf: ({ sequence }) => sequence,
    });
  };

  readonly body = async (id: string): Promise<Uint8Array | null> => {
    const reply = await this.#opened().run(BODY, [id]);
    return reply === null ? null : bytesIn(reply);
  };

  readonly redrive = (filter: DeadLetterFilter): Promise<number> => this.#each(REDRIVE, filter);

  readonly replay = async (
    { ids, runId, automationId, handler, since, until }: ReplayFilter,
    { dryRun }: { readonly dryRun: boolean },
  ): Promise<number> => {
    const session = this.#opened();
    const args = [
      session.name,
      dryRun ? '1' : '0',
      runId === undefined ? '' : `run:${runId}`,
      automationId ?? '',
      handler ?? '',
      String(since ?? ''),
      String(until ?? ''),
    ];
    if (ids === undefined) return eachPart(session, REPLAY_SOME, args, '');
    return numberIn(await session.runDurably(REPLAY_IDS, [...args, ...new Set(ids)]));
  };

  readonly discard = (filter: DeadLetterFilter): Promise<number> => this.#each(DISCARD, filter);

  readonly countDead = (filter: DeadLetterFilter): Promise<number> =>
    this.#each(COUNT_DEAD, filter);

  readonly now = async (): Promise<number> => numberIn(await this.#opened().run(NOW, []));

  readonly purgeBodies = async (): Promise<void> => {
    let count;
    do count = await this.#opened().run(PURGE_BODIES, [String(MAX_SCRIPT_EVENTS)]);
    while (count !== 0);
  };

  readonly purge = async (olderThan: number): Promise<number> => {
    const args = [String(Math.floor(olderThan)), String(MAX_SCRIPT_EVENTS)];
    for (let count = 0; ;) {
      const purged = numberIn(await this.#opened().run(PURGE, args));
      if (purged === 0) return count;
      count += purged;
    }
  };

  readonly close = async (): Promise<void> => {
    const session = this.#session;
    this.#session = null;
    await session?.stop();
  };

  /** Runs the scripts for all dead letters that match. Returns their number. */
  async #each({ byId, some }: DeadLetterScripts, filter: DeadLetterFilter): Promise<number> {
    const session = this.#opened();
    const args = [session.name, ...filterArguments(filter)];
    if (filter.ids === undefined) return eachPart(session, some, args, '0');
    const ids = [...new Set(filter.ids)];
    let count = 0;
    for (let index = 0; index < ids.length; index += MAX_SCRIPT_EVENTS) {
      const part = [...args, ...ids.slice(index, index + MAX_SCRIPT_EVENTS)];
      count += numberIn(await session.runDurably(byId, part));
    }
    return count;
  }

  /** Finds the dead letters of some ids that match, by sequence. */
  async #named(
    ids: readonly string[],
    { reason, runId, automationId }: DeadLetterFilter,
  ): Promise<readonly FoundDeadLetter[]> {
    const session = this.#opened();
    const replies = await Promise.all([...new Set(ids)].map((id) => session.run(INSPECT, [id])));
    return replies
      .filter((reply) => reply !== null && storedEventIn(reply).state === 'dead')
      .map(deadLetterIn)
      .filter(
        ({ letter }) =>
          (reason === undefined || letter.reason === reason) &&
          (runId === undefined || letter.runId === runId) &&
          (automationId === undefined || letter.automationId === automationId),
      )
      .toSorted((left, right) => left.sequence - right.sequence);
  }

  #opened(): Session {
    if (this.#session !== null) return this.#session;
    throw new StoreError(
      'store_closed',
      `Redis store ${this.#options.prefix} must be open, got a call before open() or after close().`,
    );
  }
}

/** Changes or counts events with as many calls of a script as it takes. */
function eachPart(
  session: Session,
  some: Script,
  filter: readonly string[],
  start: string,
): Promise<number> {
  return inParts(start, async (after) => {
    const [count, last] = listIn(await session.runDurably(some, [...filter, after]));
    return { count: numberIn(count), last: last == null ? null : textIn(last) };
  });
}

function leasedJobIn(reply: unknown, now: number): LeasedJob {
  const [name, token, isRunSettled, order, last, waiting, hasMore, before] = listIn(reply);
  const job = textIn(name);
  const settled = jobEventsIn(before, now).known.toSorted(byPlace);
  const { open, known } = jobEventsIn(waiting, now);
  return {
    lease: { job, token: numberIn(token) },
    runId: runIdOf(job),
    isRunSettled: isRunSettled === 1,
    order: order === null || order === undefined ? null : textIn(order),
    lastPosition: numberIn(last),
    open,
    known: [...settled.slice(-MAX_SETTLED_BEFORE), ...known],
    hasMoreBefore: settled.length > MAX_SETTLED_BEFORE,
    hasMoreAfter: hasMore === 1,
  };
}

/** Returns the events in a reply of the time, events, and whether more follow. */
function pageIn(reply: unknown): JobEvents {
  const [now, events, hasMore] = listIn(reply);
  return { ...jobEventsIn(events, numberIn(now)), hasMoreAfter: hasMore === 1 };
}

function byPlace(left: KnownEvent, right: KnownEvent): number {
  return orderPlace(left.edge, left.position) < orderPlace(right.edge, right.position) ? -1 : 1;
}

/** Reason, job and automation, each of which may be empty. */
function filterArguments({ reason, runId, automationId }: DeadLetterFilter): readonly string[] {
  return [reason ?? '', runId === undefined ? '' : `run:${runId}`, automationId ?? ''];
}

function holding({ job, token }: Lease): readonly [string, string] {
  return [job, String(token)];
}

function nextArguments(next: Next): readonly [string, string, string] {
  if (next.do === 'hold') return ['hold', String(Math.ceil(next.leaseFor)), next.begin ?? ''];
  return next.dueIn === null ? ['never', '0', ''] : ['release', String(Math.ceil(next.dueIn)), ''];
}

function outcomeArguments(outcome: Outcome): readonly string[] {
  const { id } = outcome;
  if (outcome.as === 'settled') {
    const { runSettled, keepBodyFor } = outcome;
    return [id, 's', runSettled ? '1' : '0', keepBodyFor > 0 ? String(Math.ceil(keepBodyFor)) : ''];
  }
  if (outcome.as === 'failed') {
    return [id, 'f', String(Math.ceil(outcome.dueIn)), `,${outcome.error}`];
  }
  return [id, 'd', outcome.isFailure ? '1' : '0', `${outcome.reason},${outcome.error}`];
}

import { headerValue } from '../http/message.ts';
import type { Incoming, Outgoing } from '../http/message.ts';
import { CouldNotRun, NoResponse } from '../verdict/findings.ts';
import { isApiTraffic } from './gate-rules.ts';
import type { Channel } from './gate-rules.ts';
import { Stopwatch } from './rate.ts';
import type { MonotonicClock } from './rate.ts';

const SLOW_MILLISECONDS = 2_000;
/** The first requests are slower than the others at many targets. */
const TELLING_EXCHANGES = 20;

const HANGING_MILLISECONDS = 5_000;
const MAX_WAITED_MILLISECONDS = 60_000;

/** A request, and the id of the check that sent it. */
interface Request {
  readonly outgoing: Outgoing;
  readonly by: string;
}

/** The last request with a response, and the first one after it without. */
interface LastHeard {
  readonly responded: Request | null;
  readonly silent: Request | null;
}

/** How the targets of a run respond: which of them still do, and whether the API is slow or hangs. */
export class Health {
  readonly #clock: MonotonicClock;
  readonly #notice: (text: string) => void;
  readonly #last = new Map<Channel, LastHeard>();
  readonly #waiting: Stopwatch;
  /** Of the API and its storage. */
  readonly #exchanges = { all: 0, completed: 0, milliseconds: 0 };
  #isTold = false;

  constructor(clock: MonotonicClock, notice: (text: string) => void) {
    this.#clock = clock;
    this.#notice = notice;
    this.#waiting = new Stopwatch(clock);
  }

  /** Notes how an exchange ends, unless `signal` ends it. */
  async watch(
    channel: Channel,
    request: Request,
    signal: AbortSignal,
    exchange: () => Promise<Incoming>,
  ): Promise<Incoming> {
    const startedAt = this.#clock.now();
    const isApi = isApiTraffic(channel);
    if (isApi) this.#waiting.start();
    try {
      const incoming = await exchange();
      if (isApi) this.#exchanges.completed += 1;
      // What a gateway says for a target that does not respond.
      this.#hear(channel, request, incoming.status !== 502 && incoming.status !== 504);
      return incoming;
    } catch (error) {
      if (error instanceof NoResponse && !signal.aborted) this.#hear(channel, request, false);
      throw error;
    } finally {
      if (isApi) this.#count(this.#clock.now() - startedAt);
    }
  }

  /**
   * Throws `CouldNotRun` for an API that hangs: after a minute of waiting, when most requests got no complete response.
   * Each check would run out of its own time, one after the other. A slow response is one all the same: the contract has no
   * time limit.
   */
  requireResponses(): void {
    const { all, completed } = this.#exchanges;
    const average = this.#average();
    if (completed * 2 >= all || average < HANGING_MILLISECONDS) return;
    if (this.#waiting.milliseconds < MAX_WAITED_MILLISECONDS) return;
    throw new CouldNotRun(
      `the API gave a complete response to ${completed} of ${all} requests, after ${seconds(average)} s each`,
      'run a part with --only, or test a deployment that responds',
    );
  }

  /** Whether the last request got no response. */
  isSilent(channel: Channel): boolean {
    return (this.#last.get(channel)?.silent ?? null) !== null;
  }

  /** The last request with a response and the first without, for a sentence: "after X; Y got no response". */
  turningPoint(channel: Channel): string {
    const { responded = null, silent = null } = this.#last.get(channel) ?? {};
    const after = responded === null ? 'before its first response' : `after ${textOf(responded)}`;
    return silent === null ? after : `${after}; ${textOf(silent)} got no response`;
  }

  #hear(channel: Channel, request: Request, hasResponded: boolean): void {
    const { responded = null, silent = null } = this.#last.get(channel) ?? {};
    this.#last.set(
      channel,
      hasResponded
        ? { responded: request, silent: null }
        : { responded, silent: silent ?? request },
    );
  }

  #count(milliseconds: number): void {
    this.#waiting.stop();
    this.#exchanges.all += 1;
    this.#exchanges.milliseconds += milliseconds;
    const average = this.#average();
    const isTelling = this.#exchanges.all >= TELLING_EXCHANGES && average >= SLOW_MILLISECONDS;
    if (this.#isTold || !isTelling) return;
    this.#isTold = true;
    this.#notice(
      `The API takes ${seconds(average)} s for each request: the run takes as much longer. --only runs a part.`,
    );
  }

  #average(): number {
    const { all, milliseconds } = this.#exchanges;
    return all === 0 ? 0 : milliseconds / all;
  }
}

/** A delivery is known by its id, any other request by its method and path. */
function textOf({ outgoing: { method, url, headers }, by }: Request): string {
  const id = headerValue(headers, 'webhook-id');
  const what =
    method === 'POST' && id !== undefined
      ? `the delivery ${id}`
      : `${method} ${new URL(url).pathname}`;
  return `${what} of ${by}`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}

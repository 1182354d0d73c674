import { ACCEPTED } from '../listener/delivery.ts';
import type { ListenerResponse } from '../listener/delivery.ts';
import { CHANGES, CREATIONS, isCreation, kindOf } from './event-kinds.ts';
import type { Arriving, EventKind } from './event-kinds.ts';

export type Response = Exclude<ListenerResponse, 'hold'>;

const status = (value: number): Response => ({ status: value });
const UNAVAILABLE = status(503);
const NO_CONTENT = status(204);

/** 2xx statuses, each a success. */
export const SUCCESSES: readonly number[] = [200, 201, 202, 203, 204, 206, 299];
/** 4xx statuses that end delivery. */
export const ENDING: readonly number[] = [
  400, 401, 402, 403, 404, 405, 406, 409, 410, 411, 412, 413, 415, 418, 422, 423, 451, 499,
];
/** 5xx statuses: delivery continues. */
export const SERVER_ERRORS: readonly number[] = [
  500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 599,
];
/** Successes with a body, as frameworks send them. */
export const WITH_BODY: readonly Response[] = [
  { status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' },
  { status: 202, headers: { 'content-type': 'application/json' }, body: '{"received":true}' },
];

/** Refuses with a body: the status decides, whatever the body says. */
const refusing = (value: number): Response => ({
  status: value,
  headers: { 'content-type': 'application/json' },
  body: '{"status":"error"}',
});
export const SERVER_ERROR_WITH_BODY: Response = refusing(500);
export const ENDING_WITH_BODY: Response = refusing(422);
/** No time at all: a sender retries as without it. */
export const MALFORMED_RETRY_AFTER: Response = { status: 429, headers: { 'retry-after': 'soon' } };

/** Those that show the most when a recording has few events. */
const FIRST: readonly number[] = [500, 204, 400, 429, 408, 425, 410, 404, 202, 502];

/**
 * The first responses to events, most important first. The first event of each kind gets 503, and each of these goes to
 * one creation and to one change: in turn to the kinds of CREATIONS and of CHANGES, so that it is the same in each run.
 */
export const RESPONSES: readonly Response[] = [
  ...FIRST.map(status),
  'reset',
  ...WITH_BODY,
  { status: 429, headers: { 'retry-after': '2' } },
  SERVER_ERROR_WITH_BODY,
  ENDING_WITH_BODY,
  MALFORMED_RETRY_AFTER,
  ...[...SERVER_ERRORS, ...ENDING, ...SUCCESSES]
    .filter((value) => value !== 503 && !FIRST.includes(value))
    .map(status),
];

/** The statuses besides 5xx that a sender retries. */
const RETRIED: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether automatic delivery continues after this response. */
export function isRetried(response: ListenerResponse): boolean {
  if (response === 'reset' || response === 'hold') return true;
  return response.status >= 500 || RETRIED.has(response.status);
}

/** How often an event is refused before it is accepted, when its sender tries again. */
interface Refusals {
  /** The first event of a kind. */
  readonly ofKind: number;
  readonly creation: number;
  readonly change: number;
}

/** The responses to the events of one endpoint: planned at the first attempt, and remembered. */
export class PlannedResponses {
  readonly #refusals: Refusals;
  readonly #borrows: boolean;
  readonly #plans = new Map<string, { readonly response: Response; readonly times: number }>();
  readonly #queues: ReadonlyMap<EventKind, Response[]>;

  /**
   * @param borrows - whether an event for which none of its kind is left gets one that was planned for another kind. A
   *   recording has few kinds of events.
   */
  constructor(refusals: Refusals, borrows: boolean) {
    this.#refusals = refusals;
    this.#borrows = borrows;
    const kinds = [CREATIONS, CHANGES] as const;
    this.#queues = new Map(
      kinds.flatMap((group) =>
        group.map((kind, index) => {
          const own = RESPONSES.filter((_one, position) => position % group.length === index);
          return [kind, [UNAVAILABLE, ...own]] as const;
        }),
      ),
    );
  }

  /** Whether each response was given to a creation and to a change. */
  get isUsed(): boolean {
    return [...this.#queues.values()].every((queue) => queue.every((one) => one === UNAVAILABLE));
  }

  readonly script = (delivery: Arriving, attempt: number): ListenerResponse => {
    const id = String(delivery.event['id']);
    const plan = this.#plans.get(id) ?? this.#plan(delivery);
    this.#plans.set(id, plan);
    return attempt <= plan.times ? plan.response : ACCEPTED;
  };

  #plan(delivery: Arriving): { readonly response: Response; readonly times: number } {
    const kind = kindOf(delivery);
    if (kind === null) return { response: UNAVAILABLE, times: 1 };
    const own = this.#queues.get(kind) ?? [];
    const response = own.shift() ?? this.#borrowed(kind) ?? NO_CONTENT;
    const { ofKind, creation, change } = this.#refusals;
    if (response === UNAVAILABLE) return { response, times: ofKind };
    if (!isRetried(response)) return { response, times: Infinity };
    return { response, times: isCreation(kind) ? creation : change };
  }

  #borrowed(kind: EventKind): Response | undefined {
    if (!this.#borrows) return undefined;
    const group = isCreation(kind) ? CREATIONS : CHANGES;
    const lenders = group.map((one) => this.#queues.get(one) ?? []);
    // The 503 of another kind stays for an event of that kind.
    const first = RESPONSES.find((one) => lenders.some((queue) => queue.includes(one)));
    const lender = lenders.find((queue) => first !== undefined && queue.includes(first));
    if (first !== undefined) lender?.splice(lender.indexOf(first), 1);
    return first;
  }
}

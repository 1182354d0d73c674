import { ACCEPTED, runOf } from '../listener/delivery.ts';
import type { ListenerResponse, ReceivedDelivery } from '../listener/delivery.ts';

import { SeenKinds } from './event-kinds.ts';

type Response = Exclude<ListenerResponse, 'hold'>;

const status = (value: number): Response => ({ status: value });
const RETRY_AFTER = { status: 503, headers: { 'retry-after': '3' } };

/**
 * The responses to the first attempts of the events of workflow runs, one entry for each event of a recording. Every
 * later attempt and every other event get 204, except for the first attempt of a test event and the first two of the
 * first event of some kinds. The first entries show the most.
 */
export const FIRST_RESPONSES: readonly (readonly Response[])[] = [
  [status(503)],
  [status(400)],
  [],
  [status(500)],
  [status(503), status(503)],
  [status(410)],
  ['reset'],
  [RETRY_AFTER],
  [status(429)],
  [status(404)],
  [status(503), status(503)],
  [status(202)],
  [status(408)],
  [status(425)],
  ...[502, 504, 599].map((value) => [status(value)]),
  ...[401, 403, 409, 413, 422].map((value) => [status(value)]),
  ...[200, 201, 206, 299].map((value) => [status(value)]),
  [{ status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' }],
  [{ status: 429, headers: { 'retry-after': '2' } }],
];

/** Gives each new event the next entry, and remembers which. */
export class FirstResponses {
  readonly #byEvent = new Map<string, readonly Response[]>();
  readonly #refused = new Set<unknown>();
  readonly #kinds = new SeenKinds(
    'workflow-change',
    'agent-creation',
    'agent-change',
    'terminal-change',
  );

  /** Whether every entry was given to an event. */
  get used(): boolean {
    return this.#byEvent.size >= FIRST_RESPONSES.length;
  }

  readonly script = (
    delivery: Omit<ReceivedDelivery, 'response'>,
    attempt: number,
  ): ListenerResponse => {
    const { event } = delivery;
    if (attempt === 1 && this.#kinds.isFirst(delivery)) this.#refused.add(event['id']);
    if (this.#refused.has(event['id'])) return attempt <= 2 ? status(503) : ACCEPTED;
    if (event['test'] === true) return attempt === 1 ? status(503) : ACCEPTED;
    if (runOf(event)['type'] !== 'workflow') return ACCEPTED;
    const id = String(event['id']);
    const known = this.#byEvent.get(id) ?? FIRST_RESPONSES[this.#byEvent.size] ?? [];
    this.#byEvent.set(id, known);
    return known[attempt - 1] ?? ACCEPTED;
  };
}

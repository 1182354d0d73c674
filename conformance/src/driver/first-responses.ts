import { ACCEPTED, runOf } from '../listener/delivery.ts';
import type { ListenerResponse, ReceivedDelivery } from '../listener/delivery.ts';

type Response = Exclude<ListenerResponse, 'hold'>;

const status = (value: number): Response => ({ status: value });
const RETRY_AFTER = { status: 503, headers: { 'retry-after': '3' } };

/**
 * The responses to the first attempts of the events of workflow runs, one entry for each event of a recording. Every
 * later attempt and every other event get 204, except for the first attempt of a test event. The first entries show the most.
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
];

/** Gives each new event the next entry, and remembers which. */
export class FirstResponses {
  readonly #byEvent = new Map<string, readonly Response[]>();

  /** Whether every entry was given to an event. */
  get used(): boolean {
    return this.#byEvent.size >= FIRST_RESPONSES.length;
  }

  readonly script = (
    { event }: Omit<ReceivedDelivery, 'response'>,
    attempt: number,
  ): ListenerResponse => {
    if (event['test'] === true) return attempt === 1 ? status(503) : ACCEPTED;
    if (runOf(event)['type'] !== 'workflow') return ACCEPTED;
    const id = String(event['id']);
    const known = this.#byEvent.get(id) ?? FIRST_RESPONSES[this.#byEvent.size] ?? [];
    this.#byEvent.set(id, known);
    return known[attempt - 1] ?? ACCEPTED;
  };
}

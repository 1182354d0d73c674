import type { ReceivedDelivery } from '../../saved/delivery-folder.ts';
import type { Verdict } from './verdict.ts';

/** The number of deliveries that can be redelivered. */
const MAX_KEPT = 200;
/** The size of their bodies and headers in total. */
const MAX_KEPT_BYTES: number = 32 * 1_048_576;
/** The number of event ids whose attempts are counted. */
const MAX_COUNTED = 10_000;

/** A delivery with its place among the others. */
export interface ListedDelivery extends ReceivedDelivery {
  /** 1 for the first that arrived. */
  readonly number: number;
  /** `webhook-id`; null without one. */
  readonly id: string | null;
  /** How often a delivery with this id has arrived, this one included. */
  readonly attempt: number;
  readonly verdict: Verdict;
}

/** The newest deliveries, and how often each event id has arrived. */
export class History {
  readonly #kept: ListedDelivery[] = [];
  readonly #attempts = new Map<string, number>();
  #bytes = 0;
  #count: number;

  /** @param before - the number of the last delivery of an earlier run */
  constructor(before: number) {
    this.#count = before;
  }

  add(delivery: ReceivedDelivery, id: string | null, verdict: Verdict): ListedDelivery {
    this.#count += 1;
    const listed = { ...delivery, id, verdict, number: this.#count, attempt: this.#attemptOf(id) };
    this.#kept.push(listed);
    this.#bytes += sizeOf(listed);
    while (this.#kept.length > MAX_KEPT || this.#bytes > MAX_KEPT_BYTES) {
      const oldest = this.#kept.shift();
      if (oldest === undefined) break;
      this.#bytes -= sizeOf(oldest);
    }
    return listed;
  }

  /** Returns a kept delivery by its number or its event id, the newest one if it is empty. */
  find(name: string): ListedDelivery | undefined {
    if (name === '') return this.#kept.at(-1);
    return this.#kept.findLast(({ id, number }) => id === name || String(number) === name);
  }

  #attemptOf(id: string | null): number {
    if (id === null) return 1;
    const attempt = (this.#attempts.get(id) ?? 0) + 1;
    // Moved to the end, so that the id that was last seen longest ago goes first.
    this.#attempts.delete(id);
    this.#attempts.set(id, attempt);
    const [oldest] = this.#attempts.keys();
    if (this.#attempts.size > MAX_COUNTED && oldest !== undefined) this.#attempts.delete(oldest);
    return attempt;
  }
}

function sizeOf({ headers, body }: ReceivedDelivery): number {
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length, body.byteLength);
}

import { headerValue } from '../http/message.ts';
import type { Outgoing } from '../http/message.ts';
import type { Channel } from './gate-rules.ts';

/** A request, and the id of the check that sent it. */
export interface Request {
  readonly outgoing: Outgoing;
  readonly by: string;
}

/** The last request with a response, and the first one after it without. */
interface LastHeard {
  readonly responded: Request | null;
  readonly silent: Request | null;
}

/** Which targets of a run still respond. */
export class Contact {
  readonly #last = new Map<Channel, LastHeard>();

  responded(channel: Channel, request: Request): void {
    this.#last.set(channel, { responded: request, silent: null });
  }

  silent(channel: Channel, request: Request): void {
    const { responded = null, silent = null } = this.#last.get(channel) ?? {};
    this.#last.set(channel, { responded, silent: silent ?? request });
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

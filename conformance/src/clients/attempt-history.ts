import type { HttpExchange } from '../http/exchange.ts';
import { headerValue, isSuccess } from '../http/message.ts';
import type { Redactor } from '../redaction/redactor.ts';
import type { Exchange } from '../wire/gate.ts';
import { responseOf } from './response.ts';

/** Requests to the control interface that only wait or clean up are not steps. */
const NO_STEP = /\/(?:wait|clock\/advance)$/;
/** A check that sends more shows its last requests. */
const MAX_ENTRIES = 100;
/** A larger response is not recorded, and is not shown as the successful one. */
const MAX_RECORDED_BYTES = 256 * 1024;
/** Of all entries: several attempts are in progress at once. */
const MAX_TOTAL_BYTES = 4 * 1024 * 1024;

/** What one attempt of a check sent and received, so that a violation can show more than its own exchange. */
export class AttemptHistory {
  readonly #redactor: Redactor;
  readonly #entries: Exchange[] = [];
  #bytes = 0;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  readonly note = (exchange: Exchange): void => {
    const { byteLength } = exchange.incoming.bytes;
    if (byteLength <= MAX_RECORDED_BYTES) {
      this.#entries.push(exchange);
      this.#bytes += byteLength;
    }
    while (this.#entries.length > MAX_ENTRIES || this.#bytes > MAX_TOTAL_BYTES) {
      this.#bytes -= this.#entries.shift()?.incoming.bytes.byteLength ?? 0;
    }
  };

  /** The last exchange of the attempt, whatever it was for; null without any. */
  last(): HttpExchange | null {
    const entry = this.#entries.findLast((one) => isStep(one) || one.channel !== 'control');
    return entry === undefined ? null : this.#shown(entry);
  }

  /** The requests that made the control interface do something, in their order. */
  steps(): readonly HttpExchange[] {
    return this.#entries.filter(isStep).map((entry) => this.#shown(entry));
  }

  /** The successful request that is most similar to the one of a violation: same method, and same path or kind of path. */
  controlOf(probe: HttpExchange): HttpExchange | null {
    if (probe.sentBy !== 'suite') return null;
    const shown = this.#entries
      .filter(({ channel, incoming }) => channel !== 'control' && isSuccess(incoming))
      .filter(({ outgoing }) => outgoing.method === probe.request.method)
      .map((entry) => this.#shown(entry))
      .filter((exchange) => JSON.stringify(exchange) !== JSON.stringify(probe));
    const same = shown.filter((one) => pathOf(one) === pathOf(probe));
    return same.at(-1) ?? shown.findLast((one) => isSimilar(pathOf(one), pathOf(probe))) ?? null;
  }

  #shown({ outgoing, incoming }: Exchange): HttpExchange {
    return responseOf(outgoing, incoming, this.#redactor).exchange;
  }
}

function isStep({ channel, outgoing: { method, url } }: Exchange): boolean {
  const changes = method !== 'GET' && method !== 'DELETE';
  return channel === 'control' && changes && !NO_STEP.test(new URL(url).pathname);
}

/** Host, path and content type: a request with another type of body is another kind of request. */
function pathOf({ request: { url, headers } }: HttpExchange): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname} ${headerValue(headers, 'content-type') ?? ''}`;
}

/** Whether two paths differ in one segment only, as they do when one has another id. */
function isSimilar(one: string, other: string): boolean {
  const [first, second] = [one.split('/'), other.split('/')];
  return (
    first.length === second.length && first.filter((part, at) => part !== second[at]).length === 1
  );
}

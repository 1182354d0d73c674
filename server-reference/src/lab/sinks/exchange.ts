import type { DeliveryRequest } from '../../events/order.ts';
import type { TrackedHandle } from '../../clock/clock.ts';

/** One POST of the sender, as a sink records it. */
export interface SentPost {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly endpointId: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The original request, before a delivery fault. */
  readonly request: DeliveryRequest;
  /** The applied delivery fault; null without one. */
  readonly deliveryFault: string | null;
  /** The local port of the connection, by which a sink identifies it; undefined until it is open. */
  localPort(): number | undefined;
  /** Calls back with the number of the recorded attempt; with null if it ends without being recorded. */
  onRecorded(listener: (number: number | null) => void): void;
  /** Aborted when the sender gives the attempt up. */
  readonly signal: AbortSignal;
  /** Paused while the sink delays its response by the clock, so a virtual clock must not wait for the attempt. */
  readonly tracked: TrackedHandle;
}

/** A request that a sink received. */
export interface Arrived {
  /** 1 for the first of its sink. */
  readonly number: number;
  /** When it had arrived, in milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** In the received order and case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** False if the body ended early or was larger than a sink stores. */
  readonly complete: boolean;
  /** Null until the sink responds, and if the client had disconnected. */
  response: number | 'hang' | 'reset' | null;
}

/** A POST of the sender and the received request. One of the two may be missing. */
export interface Exchange {
  /** Null for a request that the sender did not send. */
  readonly sent: SentPost | null;
  /** The number of the attempt; null until it is recorded. */
  attempt: number | null;
  /** Whether the request has started to arrive. */
  begun: boolean;
  arrived: Arrived | null;
  /** Called when the request has arrived. */
  onArrival: () => void;
}

/** The maximum number of exchanges that a sink keeps. */
export const MAX_EXCHANGES = 1_000;
/** The maximum size of their headers and bodies in total. */
export const MAX_EXCHANGE_BYTES: number = 8 * 1_048_576;

/** Creates the exchange of a POST that has not arrived. */
export function sentExchange(sent: SentPost): Exchange {
  return { sent, attempt: null, begun: false, arrived: null, onArrival: doNothing };
}

/** Creates the exchange of a request that the sender did not send. */
export function foreignExchange(): Exchange {
  return { sent: null, attempt: null, begun: true, arrived: null, onArrival: doNothing };
}

function doNothing(): void {}

/**
 * Returns the exchange of a request: the last POST over its connection that has not started to arrive. The
 * connection identifies the request, because no delivery fault changes it and other clients cannot share it.
 *
 * @param port - the remote port of the connection
 */
export function exchangeOver(
  exchanges: readonly Exchange[],
  port: number | undefined,
): Exchange | undefined {
  if (port === undefined) return undefined;
  return exchanges.findLast(({ sent, begun }) => !begun && sent?.localPort() === port);
}

/** Removes the oldest exchanges until the list is within its limits. */
export function trimExchanges(exchanges: Exchange[]): void {
  let bytes = 0;
  const tooOld = exchanges.findLastIndex((exchange, index) => {
    const newer = exchanges.length - 1 - index;
    bytes += sizeOf(exchange);
    return newer >= MAX_EXCHANGES || bytes > MAX_EXCHANGE_BYTES;
  });
  exchanges.splice(0, tooOld + 1);
}

function sizeOf({ sent, arrived }: Exchange): number {
  const original =
    sent === null ? 0 : sent.request.body.length + headerSize(Object.entries(sent.request.headers));
  return original + (arrived === null ? 0 : arrived.body.length + headerSize(arrived.headers));
}

function headerSize(headers: Arrived['headers']): number {
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
}

/** Headers of the connection, which are not compared. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
]);

/**
 * Returns the differences between the original and the received request: `body` and lower-case names of
 * headers, in alphabetical order. Empty if one of the two is missing.
 */
export function differences({ sent, arrived }: Exchange): string[] {
  if (sent === null || arrived === null) return [];
  const { headers, body } = sent.request;
  return requestDifferences({ headers: Object.entries(headers), body }, arrived);
}

/** Returns the differences between two requests: `body` and lower-case names of headers, in alphabetical order. */
export function requestDifferences(
  first: Pick<Arrived, 'headers' | 'body'>,
  second: Pick<Arrived, 'headers' | 'body'>,
): string[] {
  const original = byName(first.headers);
  const actual = byName(second.headers);
  const names = [...new Set([...original.keys(), ...actual.keys()])];
  const differing = names.filter(
    (name) => !CONNECTION_HEADERS.has(name) && original.get(name) !== actual.get(name),
  );
  if (!first.body.equals(second.body)) differing.push('body');
  return differing.toSorted();
}

/** Joins the lines of each header. Whitespace around a value is not significant. */
function byName(headers: Iterable<readonly [string, string]>): Map<string, string> {
  const lines = new Map<string, string>();
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    const before = lines.get(lower);
    const trimmed = value.replaceAll(/^[ \t]+|[ \t]+$/g, '');
    lines.set(lower, before === undefined ? trimmed : `${before}\n${trimmed}`);
  }
  return lines;
}

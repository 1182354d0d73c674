import type { Attempt } from '../../platform/sender/attempt.ts';

/** One POST of the sender, as a sink sees it. */
export interface SentPost {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly endpointId: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The request as it was signed, before any delivery fault. */
  readonly request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Buffer;
  };
  /** The delivery fault that was applied; null without one. */
  readonly deliveryFault: string | null;
  /** The port that its connection comes from, by which a sink recognises it; undefined until it is open. */
  localPort(): number | undefined;
  /** Resolves to the number of its attempt row, or to null when it was not recorded. */
  readonly recorded: Promise<number | null>;
  /** The sink holds its response until a time of the clock: a virtual clock need not wait for the attempt. */
  pause(): void;
  /** The sink goes on to respond. */
  resume(): void;
}

/** An attempt of the sender, as a sink sees it. */
export function sentPost(attempt: Attempt): SentPost {
  const { order, request, startedAt, recorded } = attempt;
  const { delivery, endpoint, fault = null } = order;
  return {
    deliveryId: delivery.id,
    eventId: delivery.eventId,
    endpointId: endpoint.id,
    startedAt,
    request: { url: endpoint.url, headers: request.headers, body: request.body },
    deliveryFault: fault,
    localPort: () => attempt.localPort(),
    recorded,
    pause: () => attempt.pause(),
    resume: () => attempt.resume(),
  };
}

/** A request as a sink has taken it. */
export interface Arrived {
  /** 1 for the first of its sink. */
  readonly number: number;
  /** When it was here, in milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** In the order and the case in which they came. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** False when more was announced than came, or more came than is kept. */
  readonly complete: boolean;
  /** Null until it is given, and where there was nobody left to be given one. */
  response: number | 'hang' | 'reset' | null;
}

/** One POST of the sender beside what a sink saw of it. One of the two may be missing. */
export interface Exchange {
  /** Null for a request that was not the sender's. */
  readonly sent: SentPost | null;
  /** The number of the attempt, once it is recorded. */
  attempt: number | null;
  /** Whether its request has begun to arrive. */
  begun: boolean;
  arrived: Arrived | null;
  /** Called when it has arrived. */
  onArrival: () => void;
}

/** The exchanges that a sink keeps. */
export const MAX_EXCHANGES = 1_000;
/** What they may hold together in headers and bodies. */
export const MAX_EXCHANGE_BYTES: number = 8 * 1_048_576;

/** A POST of the sender that has not arrived, or not yet. */
export function sentExchange(sent: SentPost): Exchange {
  return { sent, attempt: null, begun: false, arrived: null, onArrival: nobodyWaits };
}

/** A request of somebody else. */
export function strangeExchange(): Exchange {
  return { sent: null, attempt: null, begun: true, arrived: null, onArrival: nobodyWaits };
}

function nobodyWaits(): void {}

/**
 * The exchange that a request belongs to: the last POST over its connection that has not begun to
 * arrive. The connection is what no deliveryFault changes, and what no stranger shares.
 *
 * @param port - of the far end of the connection
 */
export function exchangeOver(
  exchanges: readonly Exchange[],
  port: number | undefined,
): Exchange | undefined {
  if (port === undefined) return undefined;
  return exchanges.findLast(({ sent, begun }) => !begun && sent?.localPort() === port);
}

/** Lets go of the oldest exchanges of a list until it keeps to its bounds. */
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
  const honest =
    sent === null ? 0 : sent.request.body.length + headerSize(Object.entries(sent.request.headers));
  return honest + (arrived === null ? 0 : arrived.body.length + headerSize(arrived.headers));
}

function headerSize(headers: Arrived['headers']): number {
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
}

/** Headers that say something of the connection and nothing of the event. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
]);

/**
 * In what a request arrived otherwise than the sender had made it: `body`, and the names of headers in
 * lower case, in alphabetical order. Nothing where one of the two is missing.
 */
export function differences({ sent, arrived }: Exchange): string[] {
  if (sent === null || arrived === null) return [];
  const honest = byName(Object.entries(sent.request.headers));
  const actual = byName(arrived.headers);
  const names = [...new Set([...honest.keys(), ...actual.keys()])];
  const differing = names.filter(
    (name) => !OF_CONNECTION.has(name) && honest.get(name) !== actual.get(name),
  );
  if (!sent.request.body.equals(arrived.body)) differing.push('body');
  return differing.toSorted();
}

/** The lines of each header as one text; blanks around a value belong to nobody. */
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

import type { HeaderPair } from './exchange.ts';

/** One request as it goes on the wire. */
export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly HeaderPair[];
  readonly body: Uint8Array | null;
}

/** One response as it came from the wire. */
export interface Incoming {
  readonly status: number;
  readonly headers: readonly HeaderPair[];
  readonly bytes: Uint8Array;
}

/** Raw headers as Node and undici list them (name, value, name, value), in pairs. */
export function headerPairs(raw: readonly string[]): HeaderPair[] {
  return raw.flatMap((name, index): HeaderPair[] =>
    index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : [],
  );
}

/** With `responseHeaders: 'raw'` undici returns a flat list; its types describe the merged form. */
export function rawHeaders(headers: unknown): string[] {
  return Array.isArray(headers) ? headers.map(String) : [];
}

/** First value of a header. Names are compared without case. */
export function headerValue(headers: readonly HeaderPair[], name: string): string | undefined {
  const wanted = name.toLowerCase();
  return headers.find(([candidate]) => candidate.toLowerCase() === wanted)?.[1];
}

/** The absolute URL that a redirect leads to; null for a response that redirects nowhere or not over HTTP. */
export function redirectTarget(
  requestUrl: string,
  response: Pick<Incoming, 'status' | 'headers'>,
): string | null {
  if (response.status < 300 || response.status > 399) return null;
  const location = headerValue(response.headers, 'location');
  if (location === undefined || !URL.canParse(location, requestUrl)) return null;
  const { protocol, href } = new URL(location, requestUrl);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}

/** Far deeper than any body of the contract. Deeper ones would take gigabytes. */
const MAX_DEPTH = 256;

/**
 * A parsed JSON text; undefined when it is malformed or nested more than 256 deep. JSON has one zero, so `-0` becomes 0
 * and compares as equal.
 */
export function parseJson(text: string): unknown {
  if (depthOf(text) > MAX_DEPTH) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return text.includes('-0') ? withoutNegativeZero(value) : value;
  } catch {
    return undefined;
  }
}

/** Changes arrays and objects in place: a copy, or a reviver, takes the memory of a large body several times. */
function withoutNegativeZero(value: unknown): unknown {
  if (value === 0) return 0;
  if (typeof value !== 'object' || value === null) return value;
  for (const [name, member] of Object.entries(value)) {
    if (Object.is(member, -0)) Object.defineProperty(value, name, { value: 0 });
    else withoutNegativeZero(member);
  }
  return value;
}

/** How deep the arrays and objects of a JSON text are nested; stops above the maximum. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isString = false;
  for (let at = 0; at < text.length && deepest <= MAX_DEPTH; at += 1) {
    const character = text[at];
    if (isString && character === '\\') at += 1;
    else if (character === '"') isString = !isString;
    else if (isString) continue;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** Whether the status is a 2xx. */
export function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status <= 299;
}

/** Whether a value is a JSON object: neither an array nor null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of a JSON object; none of any other value. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

import { mustBe } from './errors.ts';

/** A request of Node.js: its header names and values, alternating, or as a record. */
interface NodeHeaders {
  readonly rawHeaders: readonly string[];
}

/** As the `Headers` of the Fetch standard. */
interface FetchHeaders {
  /** Returns the value of a header; `null` without one. */
  get(name: string): string | null;
}

/**
 * Where the headers of a delivery come from. The first of these forms that fits is read:
 *
 * 1. anything with an array `rawHeaders`: a request of Node.js, Express or Connect;
 * 2. anything with such a request in `req` or `raw`: the context of Koa, a request of Fastify;
 * 3. anything with an object `headers`: the same requests where a serverless platform leaves
 *    `rawHeaders` empty, and a Fetch `Request`;
 * 4. anything with a function `get`: a Fetch `Headers`;
 * 5. a record of strings or arrays of strings, in any letter case: `request.headers`.
 *
 * Only the first two and `request.headersDistinct` show that a header came twice. The others join
 * or drop the values, and the delivery is refused as malformed or accepted with the value that is
 * left.
 */
export type HeaderSource =
  | NodeHeaders
  | {
      /** The request of Node.js in a context of Koa. */
      readonly req: NodeHeaders;
    }
  | {
      /** The request of Node.js in a request of Fastify. */
      readonly raw: NodeHeaders;
    }
  | {
      /** The headers of a Fetch `Request`. */
      readonly headers: FetchHeaders;
    }
  | FetchHeaders
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The values of some headers, in the order in which they came. */
export type FoundHeaders<Name extends string> = Readonly<Record<Name, readonly string[]>>;

type Found<Name extends string> = Record<Name, string[]>;

/**
 * Returns a function that finds the headers with these lower-case names in any kind of source.
 *
 * @throws {TypeError} The function, when it gets no source of headers.
 */
export function headerFinder<Name extends string>(
  ...names: readonly Name[]
): (source: unknown) => FoundHeaders<Name> {
  const namesByLength: Name[][] = [];
  for (const name of names) (namesByLength[name.length] ??= []).push(name);
  const add = (found: Found<Name>, name: unknown, value: unknown): void => {
    // The length alone excludes most other headers.
    const candidates = typeof name === 'string' ? namesByLength[name.length] : undefined;
    const known = candidates?.find((each) => each === name || isSameName(each, String(name)));
    if (known === undefined) return;
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one === 'string') found[known].push(one);
    }
  };
  return (source) => {
    if (!isObject(source)) {
      const received = source === null ? 'null' : typeof source;
      throw new TypeError(mustBe('headers', 'a request, Headers or a record', received));
    }
    const found = emptyFor(names);
    const pairs =
      rawHeadersOf(source) ?? rawHeadersOf(source['req']) ?? rawHeadersOf(source['raw']);
    if (pairs !== undefined) {
      for (let index = 0; index < pairs.length; index += 2) {
        add(found, pairs[index], pairs[index + 1]);
      }
      return found;
    }
    const headers =
      headersOf(source) ?? headersOf(source['req']) ?? headersOf(source['raw']) ?? source;
    if (typeof headers['get'] === 'function') {
      for (const name of names) add(found, name, headers['get'](name));
    } else {
      for (const name in headers) add(found, name, headers[name]);
    }
    return found;
  };
}

function emptyFor<Name extends string>(names: readonly Name[]): Found<Name> {
  const found: Partial<Found<Name>> = {};
  for (const name of names) found[name] = [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name has its list by now
  return found as Found<Name>;
}

/** Ignores the case of ASCII letters only: `toLowerCase` also makes a `k` of the Kelvin sign. */
function isSameName(known: string, name: string): boolean {
  return name.toLowerCase() === known && !/[^!-~]/.test(name);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Some serverless platforms leave the list empty, or half of a pair out. */
function rawHeadersOf(source: unknown): readonly unknown[] | undefined {
  if (!isObject(source) || !Array.isArray(source['rawHeaders'])) return undefined;
  const { length } = source['rawHeaders'];
  return length > 0 && length % 2 === 0 ? source['rawHeaders'] : undefined;
}

function headersOf(source: unknown): Readonly<Record<string, unknown>> | undefined {
  return isObject(source) && isObject(source['headers']) ? source['headers'] : undefined;
}

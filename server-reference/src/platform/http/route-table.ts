import type { Middleware } from 'koa';

import { ApiError, issue, notFound, ROOT } from './api-error.ts';

/** The values of the parameters of a path, decoded once. */
export type PathParameters = Readonly<Record<string, string>>;

/** The state of a request to a route. */
export interface RoutedState {
  params: PathParameters;
}

/** The route of a request, or the methods that its path supports instead. */
export type Match<T> =
  | { readonly target: T; readonly params: PathParameters }
  | { readonly target: null; readonly methods: readonly string[] };

interface Route<T> {
  readonly target: T;
  /** The names of the parameters in the order of the path. */
  readonly names: readonly string[];
}

interface Segment<T> {
  readonly words: Map<string, Segment<T>>;
  parameter: Segment<T> | undefined;
  /** The routes whose last parameter takes all following segments. */
  readonly wide: Map<string, Route<T>>;
  readonly routes: Map<string, Route<T>>;
}

interface Candidate<T> {
  readonly routes: ReadonlyMap<string, Route<T>>;
  readonly values: readonly string[];
}

/**
 * Finds the route of a method and a path. A word of a template wins over a parameter, whatever the order in
 * which they were added. Paths are compared as sent: in their case, and with every slash.
 */
export class RouteTable<T> {
  readonly #root: Segment<T> = newSegment();

  /**
   * Adds a route, unless the table has one for this method and path. GET also serves HEAD.
   *
   * @param template - such as `/v1/runs/:id`, or `/v1/files/*path` for a parameter that can contain slashes
   */
  add(method: string, template: string, target: T): void {
    const names: string[] = [];
    let at = this.#root;
    let routes: Map<string, Route<T>> | undefined;
    for (const part of template.split('/').slice(1)) {
      if (!/^[:*]/.test(part)) {
        at = child(at.words, part);
        continue;
      }
      names.push(part.slice(1));
      if (part.startsWith('*')) routes = at.wide;
      else at = at.parameter ??= newSegment();
    }
    routes ??= at.routes;
    for (const one of method === 'GET' ? ['HEAD', 'GET'] : [method]) {
      if (!routes.has(one)) routes.set(one, { target, names });
    }
  }

  /** Finds the route of a request by its raw path, whose percent-encoding must be valid. */
  find(method: string, path: string): Match<T> {
    const candidates = matching(this.#root, path.split('/'), 1, []);
    for (const { routes, values } of candidates) {
      const route = routes.get(method);
      if (route === undefined) continue;
      const pairs = route.names.map((name, index) => [
        name,
        decodeURIComponent(values[index] ?? ''),
      ]);
      return { target: route.target, params: Object.fromEntries(pairs) };
    }
    return { target: null, methods: candidates.flatMap(({ routes }) => Array.from(routes.keys())) };
  }
}

function newSegment<T>(): Segment<T> {
  return { words: new Map(), parameter: undefined, wide: new Map(), routes: new Map() };
}

function child<T>(words: Map<string, Segment<T>>, word: string): Segment<T> {
  const found = words.get(word) ?? newSegment<T>();
  words.set(word, found);
  return found;
}

/** Returns the routes of every template that matches, those with words before those with parameters. */
function matching<T>(
  at: Segment<T>,
  segments: readonly string[],
  index: number,
  values: readonly string[],
): Candidate<T>[] {
  const segment = segments[index];
  if (segment === undefined) return at.routes.size > 0 ? [{ routes: at.routes, values }] : [];
  const word = at.words.get(segment);
  const found = word === undefined ? [] : matching(word, segments, index + 1, values);
  if (at.parameter !== undefined && segment !== '') {
    found.push(...matching(at.parameter, segments, index + 1, [...values, segment]));
  }
  if (at.wide.size > 0) {
    const rest = segments.slice(index).join('/');
    if (rest !== '') found.push({ routes: at.wide, values: [...values, rest] });
  }
  return found;
}

/** Returns the error of a request without a route: 405 if only the method is wrong, else 404. */
export function unrouted(method: string, methods: readonly string[]): ApiError {
  if (methods.length === 0) return notFound(ROOT, 'no operation has this path');
  const allow = [...new Set(methods)].join(', ');
  const message = `this path does not support ${method}`;
  return new ApiError(405, [issue('method_not_allowed', ROOT, message)], {
    hint: `Use one of ${allow}.`,
    headers: { Allow: allow },
  });
}

/** Returns whether a path is the prefix or below it. */
export function isBelow(prefix: string, path: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

/** Limits a middleware to the paths of a prefix. */
export function mount(prefix: string, middleware: Middleware): Middleware {
  return function mounted(ctx, next) {
    return isBelow(prefix, ctx.path) ? middleware(ctx, next) : next();
  };
}

/** Loads middleware at its first request, because a start needs none of what loads later. */
export function loadedLater<S>(load: () => Promise<Middleware<S>>): Middleware<S> {
  let loading: Promise<Middleware<S>> | undefined;
  return async function loaded(ctx, next) {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    const serve = await loading;
    await serve(ctx, next);
  };
}

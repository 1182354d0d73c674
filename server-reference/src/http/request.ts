import { hash } from 'node:crypto';

import type { Context, Middleware } from 'koa';

import { ROOT, refusal } from '../errors.ts';
import type { ApiError } from '../errors.ts';

/** The response header with the id of the request. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** The Koa state of every request. */
export interface RequestState {
  requestId: string;
  /** The last step that the request has reached. If it was refused, this step refused it. */
  step?: RequestStep;
  /** The error that the response shows. */
  failure?: ApiError;
  /** The first {@link EXCERPT_BYTES} of a JSON body. */
  bodyExcerpt?: Buffer;
}

export const EXCERPT_BYTES = 4_096;

/** The steps of a request in the order of the app. */
type RequestStep =
  | 'form'
  | 'signature'
  | 'key'
  | 'limit'
  | 'fault'
  | 'route'
  | 'scope'
  | 'validation'
  | 'handler';

/** Names the step that a middleware is. */
export function step<S extends RequestState>(
  name: RequestStep,
  middleware: Middleware<S>,
): Middleware<S> {
  return function namedStep(ctx, next) {
    ctx.state.step = name;
    return middleware(ctx, next);
  };
}

/** Returns the next id: `req_` and 36 lower-case hex digits. */
export type NewRequestId = () => string;

/**
 * Creates the source of request ids. The same seed and `startedAt` give the same sequence of ids; another
 * `startedAt` gives another sequence.
 *
 * @param startedAt - start of the server in milliseconds since the epoch, by its clock
 */
export function requestIds(seed: number, startedAt: number): NewRequestId {
  let issued = 0;
  return () => {
    issued += 1;
    const digest = hash('sha256', `${seed}:${startedAt}:${issued}`);
    return `req_${digest.slice(0, 36)}`;
  };
}

/** Gives each request a new id. An id sent by the caller is ignored. */
export function assignRequestId(newRequestId: NewRequestId): Middleware<RequestState> {
  return function requestId(ctx, next) {
    ctx.state.requestId = newRequestId();
    ctx.res.setHeader(REQUEST_ID_HEADER, ctx.state.requestId);
    return next();
  };
}

/** A host name or address with an optional port. */
const HOST = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?$/;

/** A path. URL parsers disagree on all other characters, such as `#` or a raw 0xA0. */
const PLAIN_TARGET = /^\/[!"$-[\]-~]*$/;

/** Returns whether a server serves a Host header. */
export type HostRule = (host: string) => boolean;

const LOOPBACK = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])$/i;
const ADDRESS = /^(\[[0-9a-f:.]+\]|[0-9]{1,3}(\.[0-9]{1,3}){3})$/i;

/**
 * Creates the rule of a server. It prevents DNS rebinding, where a page on the name of its own site reads
 * from a server whose address the name has taken. Loopback names are served, the address that the server
 * listens at, and `allowedHosts`. A server that listens beyond loopback also serves addresses and names
 * without a dot, which no such page has.
 */
export function createHostRule(boundHost: string, allowedHosts: readonly string[]): HostRule {
  const bound = boundHost.includes(':') ? `[${boundHost}]` : boundHost;
  const known = new Set([bound, ...allowedHosts].map((host) => host.toLowerCase()));
  const isLocal = LOOPBACK.test(bound);
  return (host) => {
    const name = host.replace(/:[0-9]*$/, '').toLowerCase();
    if (LOOPBACK.test(name) || known.has(name)) return true;
    return !isLocal && (ADDRESS.test(name) || !name.includes('.'));
  };
}

/**
 * Refuses ambiguous requests before anything else is read: by their Host and their URL.
 *
 * @param servesHost - null if the caller checks the Host itself
 */
export function checkRequest(servesHost: HostRule | null): Middleware {
  return function requestForm(ctx, next) {
    const hosts = ctx.req.headersDistinct['host'] ?? [];
    const [host = ''] = hosts;
    if (hosts.length !== 1 || !HOST.test(host)) throw invalidHost();
    if (servesHost?.(host) === false) throw misdirected();
    if (!PLAIN_TARGET.test(ctx.url) || !isDecodable(ctx.url)) {
      const message = 'the target must be a path whose special characters are percent-encoded';
      throw refusal('malformed_request', ROOT, message, {
        hint: 'Percent-encode all characters outside ASCII, # (%23), \\ (%5C), and % (%25) where it starts no encoded UTF-8 character.',
      });
    }
    return next();
  };
}

function invalidHost(): ApiError {
  const message = 'the request must have exactly one valid Host header';
  return refusal('malformed_request', ROOT, message);
}

function misdirected(): ApiError {
  const message = 'the Host header must be an address of this server';
  return refusal('misdirected_request', ROOT, message, {
    hint: 'Use localhost, or start the server with this host in allowedHosts (serve --allow-host).',
  });
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the origin of the URL of a request, such as `http://127.0.0.1:4010`. */
export function originOf({ protocol, host }: Pick<Context, 'protocol' | 'host'>): string {
  return `${protocol}://${host}`;
}

const BEARER = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i;

/** Returns the token of an Authorization header of the form `Bearer <token>`; undefined for any other. */
export function bearerToken(authorization: string): string | undefined {
  return BEARER.exec(authorization)?.[1];
}

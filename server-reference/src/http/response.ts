import { Readable } from 'node:stream';

import format from 'content-disposition';
import type { Context, Middleware } from 'koa';

import type { Clock } from '../clock/clock.ts';

/** Sets the `Date` of every response to the time of the clock. By default Node sends the time of the machine. */
export function dateResponses(clock: Clock): Middleware {
  return function responseDate(ctx, next) {
    ctx.res.setHeader('Date', new Date(clock.now()).toUTCString());
    return next();
  };
}

/** Responds with JSON in UTF-8. */
export function respondJson(ctx: Pick<Context, 'set' | 'body'>, value: object): void {
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  ctx.body = JSON.stringify(value);
}

interface DownloadParts {
  readonly content: Readable | Buffer;
  /** The name under which a browser saves it. */
  readonly filename: string;
  /** Default: `application/octet-stream`. */
  readonly contentType?: string;
  /** Bytes of the content. Default: unknown. */
  readonly length?: number;
  /** 206 for a byte range. Default 200. */
  readonly status?: 200 | 206;
  /** More headers. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response with bytes, which a browser saves. A stream is destroyed when the client disconnects. */
export class Download {
  readonly content: Readable | Buffer;
  readonly status: 200 | 206;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ content, filename, contentType, length, status = 200, headers }: DownloadParts) {
    this.content = content;
    this.status = status;
    this.headers = {
      'Content-Type': contentType ?? 'application/octet-stream',
      ...(length === undefined ? {} : { 'Content-Length': String(length) }),
      'Content-Disposition': contentDisposition(filename),
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    };
  }
}

/**
 * The header that makes a browser save a download under its name. `filename` is plain ASCII: clients
 * disagree on other encodings and on escapes (RFC 6266, appendix D). `filename*` follows where that is
 * not the whole name (RFC 8187).
 */
export function contentDisposition(filename: string): string {
  const name = filename.replaceAll(/\p{Surrogate}/gu, '\u{FFFD}');
  const ascii = name.replaceAll(/[^ !#-[\]-~]/gu, '_').replaceAll(/%(?=[0-9A-Fa-f]{2})/g, '_');
  return format(name, { fallback: ascii });
}

/** Writes a download, or 304 if `If-None-Match` names its ETag. */
export function respondDownload(ctx: Context, { content, status, headers }: Download): void {
  ctx.status = status;
  const { ETag: etag } = headers;
  if (etag !== undefined) {
    ctx.set('ETag', etag);
    if (matchesETag(ctx, etag)) {
      if (content instanceof Readable) content.destroy();
      ctx.status = 304;
      return;
    }
  }
  ctx.set(headers);
  ctx.body = content;
}

/**
 * Returns whether `If-None-Match` names a strong ETag, with or without `W/`. Koa's `fresh` ignores the header if the request has
 * `Cache-Control: no-cache`, which `fetch` adds to each request with `If-None-Match`.
 */
export function matchesETag(ctx: Pick<Context, 'get'>, etag: string): boolean {
  const names = ctx.get('If-None-Match');
  if (names.trim() === '*') return true;
  return names.match(/"[^"]*"/g)?.includes(etag) ?? false;
}

/** A redirect to another URL (302). */
export class Redirect {
  readonly location: string;

  constructor(location: string) {
    this.location = location;
  }
}

/** A JSON response whose status depends on what the operation did. */
export class JsonResponse {
  readonly status: number;
  readonly body: object;

  constructor(status: number, body: object) {
    this.status = status;
    this.body = body;
  }
}

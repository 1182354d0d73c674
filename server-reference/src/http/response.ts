import { Readable } from 'node:stream';

import type { Context, Middleware } from 'koa';

import type { Clock } from '../clock/clock.ts';

/** Sets the `Date` of every response to the time of the clock. By default Node sends the time of the machine. */
export function dateResponses(clock: Clock): Middleware {
  return function responseDate(ctx, next) {
    ctx.res.setHeader('Date', new Date(clock.now()).toUTCString());
    return next();
  };
}

/** Responds with JSON. The body is a string, because for an object Koa would make Node load `fetch`. */
export function respondJson(ctx: Pick<Context, 'set' | 'body'>, value: object): void {
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  ctx.body = JSON.stringify(value);
}

interface DownloadParts {
  readonly content: Readable | Buffer;
  /** 206 for a byte range. Default 200. */
  readonly status?: 200 | 206;
  /** Include the media type, and the length if known. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A response with bytes. A stream is destroyed when the client disconnects. */
export class Download {
  readonly content: Readable | Buffer;
  readonly status: 200 | 206;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ content, status = 200, headers }: DownloadParts) {
    this.content = content;
    this.status = status;
    this.headers = headers;
  }
}

/** Writes a download, or 304 if `If-None-Match` names its ETag. */
export function respondDownload(ctx: Context, { content, status, headers }: Download): void {
  ctx.status = status;
  const { ETag: etag } = headers;
  if (etag !== undefined) {
    ctx.set('ETag', etag);
    if (ctx.fresh) {
      if (content instanceof Readable) content.destroy();
      ctx.status = 304;
      return;
    }
  }
  ctx.set(headers);
  ctx.body = content;
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

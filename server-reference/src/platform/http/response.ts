import type { Readable } from 'node:stream';

import type { Context } from 'koa';

/** Responds with JSON. The body is a string, because for an object Koa would make Node load `fetch`. */
export function respondJson(ctx: Pick<Context, 'set' | 'body'>, value: object): void {
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  ctx.body = JSON.stringify(value);
}

interface DownloadParts {
  readonly stream: Readable;
  /** 206 for a byte range. Default 200. */
  readonly status?: 200 | 206;
  /** Include the media type, and the length if known. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A streamed response. The stream is destroyed when the client disconnects. */
export class Download {
  readonly stream: Readable;
  readonly status: 200 | 206;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ stream, status = 200, headers }: DownloadParts) {
    this.stream = stream;
    this.status = status;
    this.headers = headers;
  }
}

/** A redirect to another URL (302). */
export class Redirect {
  readonly location: string;

  constructor(location: string) {
    this.location = location;
  }
}

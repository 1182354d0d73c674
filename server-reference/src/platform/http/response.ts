import type { Readable } from 'node:stream';

import type { Context } from 'koa';

/** Answers with JSON. As text: to tell kinds of objects apart, Koa would have Node load all of `fetch`. */
export function respondJson(ctx: Pick<Context, 'set' | 'body'>, value: object): void {
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  ctx.body = JSON.stringify(value);
}

interface DownloadParts {
  readonly stream: Readable;
  /** Default 200; 206 for a part. */
  readonly status?: 200 | 206;
  /** With the media type, and with the length where it is known. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Bytes that are sent as they are read. The stream is destroyed when the caller goes away. */
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

/** Sends the caller to another address (302). */
export class Redirect {
  readonly location: string;

  constructor(location: string) {
    this.location = location;
  }
}

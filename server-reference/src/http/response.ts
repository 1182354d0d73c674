import { createReadStream } from 'node:fs';
import { basename, dirname } from 'node:path';
import { Readable } from 'node:stream';

import format from 'content-disposition';
import type { Context, Middleware } from 'koa';
import send from 'send';

import type { Clock } from '../clock/clock.ts';
import { ROOT, refusal } from '../errors.ts';

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

/** A stored file: an absolute path, and the hash of its bytes. */
interface StoredContent {
  readonly path: string;
  readonly sha256: string;
}

interface DownloadParts {
  /** Only a stored file has an ETag and is served in ranges. */
  readonly content: Readable | Buffer | StoredContent;
  /** The name under which a browser saves it. */
  readonly filename: string;
  /** Default: `application/octet-stream`. */
  readonly contentType?: string;
  /** More headers. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response with bytes, which a browser saves. A stream is destroyed when the client disconnects. */
export class Download {
  readonly content: Readable | Buffer | StoredContent;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ content, filename, contentType, headers }: DownloadParts) {
    this.content = content;
    this.headers = {
      'Content-Type': contentType ?? 'application/octet-stream',
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

/** Writes a download. */
export async function respondDownload(ctx: Context, { content, headers }: Download): Promise<void> {
  if (content instanceof Readable || Buffer.isBuffer(content)) {
    ctx.status = 200;
    ctx.set(headers);
    ctx.body = content;
    return;
  }
  const body = await openStored(ctx, content, headers);
  ctx.respond = body !== null;
  // Koa would make it 200.
  ctx.status = ctx.res.statusCode;
  ctx.body = body;
}

/**
 * Writes the headers for a stored file, or the part of it that the request wants.
 *
 * @returns its bytes; null if the response is complete, as for HEAD and 304
 * @throws {ApiError} 412 `precondition_failed` or 416 `range_not_satisfiable`
 */
async function openStored(
  { req, res }: Context,
  { path: place, sha256 }: StoredContent,
  headers: Download['headers'],
): Promise<Readable | null> {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  res.setHeader('ETag', `"${sha256}"`);
  res.statusCode = 200;
  // `fetch` adds it to each request with If-None-Match, and would never get 304.
  delete req.headers['cache-control'];
  const sending = send(req, encodeURIComponent(basename(place)), {
    root: dirname(place),
    dotfiles: 'allow',
    index: false,
    cacheControl: false,
    lastModified: false,
  });
  try {
    return await new Promise<Readable | null>((resolve, reject) => {
      // Koa sends the bytes, as those of every other response.
      sending.stream = (path, part) => resolve(res.destroyed ? null : createReadStream(path, part));
      res.once('close', () => resolve(null));
      sending.on('error', reject).pipe(res);
    });
  } catch (error) {
    for (const name of [...Object.keys(headers), 'ETag', 'Accept-Ranges']) res.removeHeader(name);
    throw refusedContent(error);
  }
}

function refusedContent(error: unknown): unknown {
  const status: unknown = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 412) {
    return refusal('precondition_failed', ROOT, 'the file is not the one that the request is for');
  }
  if (status !== 416) return error;
  return refusal('range_not_satisfiable', 'Range', 'must start before the end of the file');
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

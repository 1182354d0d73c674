import type { IncomingMessage, ServerResponse } from 'node:http';

import { ApiError, badRequest, issue, ROOT } from './api-error.ts';
import { drain, incomingBytes } from './body.ts';
import { readPartLabel } from './part-label.ts';
import type { PartLabel } from './part-label.ts';

/** A part of a form, while its bytes arrive. */
export interface Part extends PartLabel {
  /** Can be read once. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

const MAX_PARTS = 1_000;
const MAX_HEADER_BYTES = 16_384;

/**
 * Reads the parts of a form in the order in which they were sent. The next part is read when `take` has
 * settled.
 *
 * @param formBytes - maximum length of the form
 * @param take - reads all bytes of the part, or rejects with the error of the request
 * @throws {ApiError} 400 `unsupported_media_type`, `malformed_multipart`, `malformed_request`; 413
 */
export async function readParts(
  request: IncomingMessage,
  response: ServerResponse,
  formBytes: number,
  take: (part: Part) => Promise<void>,
): Promise<void> {
  const boundary = readBoundary(request);
  if (Number(request.headers['content-length'] ?? 0) > formBytes) throw formTooLarge(formBytes);
  const source = incomingBytes(request, response);
  try {
    const form = new FormBytes(source, formBytes);
    const delimiter = Buffer.from(`\r\n--${boundary}`);
    await drain(form.until(delimiter));
    for (let parts = 1; !(await form.isAtEnd()); parts += 1) {
      if (parts > MAX_PARTS) throw tooManyParts();
      const bytes = form.until(delimiter);
      await take({ ...readPartLabel(await readHeaders(form)), bytes });
    }
    // What follows the last boundary has no meaning.
    await drain(source);
  } finally {
    await source.return();
  }
}

async function readHeaders(form: FormBytes): Promise<string[]> {
  const lines: string[] = [];
  for (let left = MAX_HEADER_BYTES; ;) {
    const line = await form.line(left);
    if (line === '') return lines;
    left -= line.length;
    lines.push(line);
  }
}

const LINE_END = Buffer.from('\r\n');

/** The bytes of a form that no part has read yet. */
class FormBytes {
  readonly #source: AsyncIterator<Uint8Array, void>;
  readonly #limit: number;
  /** Starts with a line end, so that the first boundary has one before it like the others. */
  #buffer: Buffer = LINE_END;
  #received = 0;

  constructor(source: AsyncIterator<Uint8Array, void>, limit: number) {
    this.#source = source;
    this.#limit = limit;
  }

  /** Yields the bytes before a delimiter, and drops the delimiter. */
  async *until(delimiter: Buffer): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const at = this.#buffer.indexOf(delimiter);
      const end = at === -1 ? this.#buffer.length - delimiter.length + 1 : at;
      const piece = this.#buffer.subarray(0, Math.max(0, end));
      this.#buffer = this.#buffer.subarray(piece.length + (at === -1 ? 0 : delimiter.length));
      if (piece.length > 0) yield piece;
      if (at !== -1) return;
      await this.#receive();
    }
  }

  /** Reads a line of at most `limit` bytes. */
  async line(limit: number): Promise<string> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of this.until(LINE_END)) {
      length += piece.length;
      if (length > limit) throw malformed('the headers of a part must be at most 16 KiB');
      pieces.push(piece);
    }
    return Buffer.concat(pieces).toString();
  }

  /** Reads the rest of a boundary line. It ends the form if it starts with two dashes. */
  async isAtEnd(): Promise<boolean> {
    while (this.#buffer.length < 2) await this.#receive();
    if (this.#buffer.subarray(0, 2).equals(Buffer.from('--'))) return true;
    if ((await this.line(MAX_HEADER_BYTES)).trim() === '') return false;
    throw malformed('a boundary must be followed by the end of its line');
  }

  async #receive(): Promise<void> {
    const next = await this.#source.next();
    if (next.done === true) {
      throw malformed('the form is malformed or ends before its last boundary');
    }
    this.#received += next.value.length;
    if (this.#received > this.#limit) throw formTooLarge(this.#limit);
    this.#buffer = Buffer.concat([this.#buffer, next.value]);
  }
}

/** Whether the body of a request is declared as a form. */
export function isForm({ headersDistinct }: IncomingMessage): boolean {
  return FORM_TYPE.test(headersDistinct['content-type']?.[0] ?? '');
}

const FORM_TYPE = /^multipart\/form-data\s*(;|$)/i;
const BOUNDARY = /;\s*boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;"]{1,200}))\s*(?:;|$)/i;

function readBoundary(request: IncomingMessage): string {
  const types = request.headersDistinct['content-type'] ?? [];
  if (types.length !== 1 || !isForm(request)) {
    throw badRequest(
      'unsupported_media_type',
      ROOT,
      'the body must be declared as multipart/form-data',
      'Send one header Content-Type: multipart/form-data with its boundary.',
    );
  }
  const [, quoted, plain] = BOUNDARY.exec(types[0] ?? '') ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformed('the Content-Type must have a valid boundary');
  return boundary;
}

function malformed(message: string): ApiError {
  return badRequest('malformed_multipart', ROOT, message);
}

function tooManyParts(): ApiError {
  const message = `the form must have at most ${MAX_PARTS} parts`;
  return new ApiError(413, [issue('payload_too_large', ROOT, message)]);
}

function formTooLarge(limitBytes: number): ApiError {
  const message = `the form must be at most ${limitBytes} bytes`;
  return new ApiError(413, [issue('payload_too_large', ROOT, message)]);
}

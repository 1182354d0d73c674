import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Blobs, StoredBytes } from '../store/blobs.ts';
import { ApiError, badRequest, issue } from './api-error.ts';
import { drain, parseJson } from './body.ts';
import type { FormShape } from './form-shape.ts';
import { readParts } from './parts.ts';
import type { PartLabel } from './part-label.ts';
import type { Part } from './parts.ts';
import type { SchemaCheck } from './schema.ts';

/** A file of a form. Its bytes are stored. */
export interface FormFile extends PartLabel {
  readonly bytes: StoredBytes;
}

/** A form that its schema accepts. */
export interface Form<Texts = unknown> {
  /** The text parts of the document by name, with those in JSON parsed. Others are passed over. */
  readonly texts: Texts;
  /** In the order in which they were sent. */
  readonly files: readonly FormFile[];
}

/**
 * Reads the form of a request, and passes it to a function. Its files are stored and held until the function
 * has settled: commit the records that refer to them inside. If anything fails, the files are released.
 *
 * @throws {ApiError} 400 or 413 with the part as field; rejects with the error of the function
 * @example
 * ```ts
 * return form(({ texts, files }) =>
 *   store.commit((state) => addFiles(state, texts.purpose, files)),
 * );
 * ```
 */
export type FormReader<Texts = unknown> = <T>(use: (form: Form<Texts>) => Promise<T>) => Promise<T>;

/** What {@link createFormReader} reads from and writes to. */
export interface FormSource {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly blobs: Blobs;
  readonly shape: FormShape;
  /** Checks the form against `shape.schema`. */
  readonly check: SchemaCheck;
  /** Maximum size of all files together in bytes. */
  readonly fileBytes: number;
  /** Maximum size of one text in bytes. */
  readonly textBytes: number;
}

/** Allowance for boundaries and headers of a form. */
const FORM_OVERHEAD_BYTES = 65_536;

/** Creates the reader of one request. Its texts have the type that the schema describes. */
export function createFormReader(source: FormSource): FormReader<never> {
  const { incoming, outgoing, blobs, shape, check, fileBytes, textBytes } = source;
  const formBytes = fileBytes + shape.texts * textBytes + FORM_OVERHEAD_BYTES;
  return async function withForm(use) {
    const parts = new FormParts(source);
    try {
      await readParts(incoming, outgoing, formBytes, (part) => parts.take(part));
      const issues = await check(parts.asValue());
      if (issues.length > 0) throw new ApiError(400, issues);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema vouches for the texts
      const texts = Object.fromEntries(parts.texts) as never;
      return await use({ texts, files: parts.files });
    } finally {
      for (const { bytes } of parts.files) blobs.release(bytes.sha256);
    }
  };
}

/** The known parts of a form, as far as they have arrived. */
class FormParts {
  readonly texts = new Map<string, unknown>();
  readonly files: FormFile[] = [];
  readonly #source: FormSource;
  #fileBytes = 0;

  constructor(source: FormSource) {
    this.#source = source;
  }

  /** The form as its schema describes it. */
  asValue(): Record<string, unknown> {
    const value = new Map(this.texts);
    for (const { name } of this.files) {
      const isList = this.#source.shape.kindOf(name) === 'files';
      value.set(name, isList ? this.files.filter((one) => one.name === name).map(() => '') : '');
    }
    return Object.fromEntries(value);
  }

  /** Reads a part. An unknown part is passed over. */
  async take({ bytes, ...label }: Part): Promise<void> {
    const { shape, blobs, fileBytes } = this.#source;
    const { name } = label;
    const kind = shape.kindOf(name);
    if (kind === undefined) {
      await drain(bytes);
      return;
    }
    const isSecond = this.texts.has(name) || this.files.some((file) => file.name === name);
    if (isSecond && kind !== 'files') throw misused(name, 'must be sent only once');
    if (kind === 'file' || kind === 'files') {
      const stored = await blobs.put(this.#counted(name, bytes), fileBytes);
      this.files.push({ ...label, bytes: stored });
      return;
    }
    if (label.filename !== undefined) throw misused(name, 'must be a text without a file name');
    const text = await readText(name, bytes, this.#source.textBytes);
    this.texts.set(name, kind === 'json' ? parseJson(text, name) : text);
  }

  /** Yields the bytes of a file while the files together are within their limit. */
  async *#counted(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const limit = this.#source.fileBytes;
    for await (const chunk of bytes) {
      this.#fileBytes += chunk.length;
      if (this.#fileBytes > limit) throw tooLarge(name, limit);
      yield chunk;
    }
  }
}

async function readText(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  limitBytes: number,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > limitBytes) throw tooLarge(name, limitBytes);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw misused(name, 'must be in UTF-8');
  }
}

function misused(name: string, message: string): ApiError {
  return badRequest('malformed_multipart', name, message);
}

function tooLarge(name: string, limitBytes: number): ApiError {
  const message = `must be at most ${limitBytes} bytes`;
  return new ApiError(413, [issue('payload_too_large', name, message)]);
}

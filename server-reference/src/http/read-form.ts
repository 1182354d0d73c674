import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { Busboy } from '@fastify/busboy';
import type { BusboyInstance } from '@fastify/busboy';

import { ApiError, ROOT, refusal } from '../errors.ts';
import { parseJson } from '../json.ts';
import type { Blobs, StoredBytes } from '../store/blobs.ts';
import { incomingBytes } from './body.ts';
import type { FormShape } from './form-shape.ts';
import type { SchemaCheck } from './schema.ts';

/** What the headers of a part say. */
export interface PartLabel {
  readonly name: string;
  /** As sent by the caller; undefined if the part has none. */
  readonly filename: string | undefined;
  /** In lower case and without parameters; `text/plain` if the part has none. */
  readonly contentType: string;
}

/** A file of a form. Its bytes are stored. */
export interface FormFile extends PartLabel {
  readonly bytes: StoredBytes;
}

/** A part of a form, while its bytes arrive. */
interface Part extends PartLabel {
  readonly bytes: Readable;
}

/** A form that its schema accepts. */
interface Form<Texts = unknown> {
  /** The text parts of the document by name, with those in JSON parsed. Other parts are ignored. */
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
interface FormSource {
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
const MAX_PARTS = 1_000;
const MAX_HEADER_BYTES = 16_384;
/** Far above a chunk of the network. The parser never continues when a part that it skips ends with a full buffer. */
const PART_BUFFER_BYTES = 1_048_576;

/** Creates the reader of one request. Its texts have the type that the schema describes. */
export function createFormReader(source: FormSource): FormReader<never> {
  const { blobs, check } = source;
  return async function withForm(use) {
    const parts = new FormParts(source);
    try {
      await readParts(source, (part) => parts.take(part));
      const issues = check(parts.asValue());
      if (issues.length > 0) throw new ApiError(issues);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema vouches for the texts
      const texts = Object.fromEntries(parts.texts) as never;
      return await use({ texts, files: parts.files });
    } finally {
      for (const { bytes } of parts.files) blobs.release(bytes.sha256);
    }
  };
}

/** Passes on the parts of a form, one after another, until the form ends or `take` fails. */
async function readParts(source: FormSource, take: (part: Part) => Promise<void>): Promise<void> {
  const { incoming, outgoing, shape, fileBytes, textBytes } = source;
  const limitBytes = fileBytes + shape.texts * textBytes + FORM_OVERHEAD_BYTES;
  const form = openForm(incoming);
  if (Number(incoming.headers['content-length'] ?? 0) > limitBytes) throw formTooLarge(limitBytes);

  const parts: Readable[] = [];
  let taken = Promise.resolve();
  let refused: Error | undefined;
  const refuse = (error: Error): void => {
    refused ??= error;
    form.destroy(error);
  };
  form.on('file', (name: string | undefined, bytes, filename, _encoding, contentType) => {
    // The pipeline reports a form that is cut off. Without a listener, its last part would end the process.
    bytes.on('error', () => {});
    parts.push(bytes);
    taken = taken.then(() => {
      if (name === undefined || name === '') throw malformed(ROOT, 'every part must have a name');
      return take({ name, filename, contentType, bytes });
    });
    taken.catch(refuse);
  });
  form.on('partsLimit', () => refuse(tooManyParts()));

  try {
    const arrived = pipeline(
      incomingBytes(incoming, outgoing),
      (all) => atMost(limitBytes, all),
      form,
    );
    // After two closing boundaries, the parser finishes before the body has ended, and the pipeline never settles.
    await Promise.race([arrived, once(form, 'finish')]);
    await taken;
  } catch (error) {
    for (const part of parts) part.destroy();
    // The caller releases the files when the last one is stored or refused.
    await taken.catch(() => {});
    throw error instanceof ApiError ? error : (refused ?? cutOff());
  }
}

/** Every part is read as a file: what the parser reads as a text is decoded whatever its bytes are. */
function openForm(request: IncomingMessage): BusboyInstance {
  const types = request.headersDistinct['content-type'] ?? [];
  const [type = ''] = types;
  if (types.length !== 1 || !isForm(request)) {
    throw refusal(
      'unsupported_media_type',
      ROOT,
      'the body must be declared as multipart/form-data',
      { hint: 'Send one header Content-Type: multipart/form-data with its boundary.' },
    );
  }
  if (!HAS_BOUNDARY.test(type)) {
    throw malformed(ROOT, 'the Content-Type must have a valid boundary');
  }
  return new Busboy({
    headers: { 'content-type': type },
    preservePath: true,
    isPartAFile: () => true,
    fileHwm: PART_BUFFER_BYTES,
    limits: { parts: MAX_PARTS, headerSize: MAX_HEADER_BYTES },
  });
}

/** Whether the body of a request is declared as a form. */
export function isForm({ headersDistinct }: IncomingMessage): boolean {
  return FORM_TYPE.test(headersDistinct['content-type']?.[0] ?? '');
}

const FORM_TYPE = /^multipart\/form-data\s*(;|$)/i;
const HAS_BOUNDARY = /;\s*boundary\s*=\s*(?:"[^"]{1,200}"|[^\s;"]{1,200})\s*(?:;|$)/i;

async function* atMost(
  limitBytes: number,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > limitBytes) throw formTooLarge(limitBytes);
    yield chunk;
  }
}

/** The declared parts of a form, as far as they have arrived. */
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
      value.set(name, isList ? this.files.filter((file) => file.name === name).map(() => '') : '');
    }
    return Object.fromEntries(value);
  }

  async take({ bytes, ...label }: Part): Promise<void> {
    const { shape, blobs, fileBytes, textBytes } = this.#source;
    const { name } = label;
    const kind = shape.kindOf(name);
    if (kind === undefined) {
      bytes.resume();
      return;
    }
    const isSecond = this.texts.has(name) || this.files.some((file) => file.name === name);
    if (isSecond && kind !== 'files') throw malformed(name, 'must be sent only once');
    if (kind === 'file' || kind === 'files') {
      const stored = await blobs.put(this.#counted(name, bytes), fileBytes);
      this.files.push({ ...label, bytes: stored });
      return;
    }
    if (label.filename !== undefined) throw malformed(name, 'must be a text without a file name');
    const text = await readText(name, bytes, textBytes);
    this.texts.set(name, kind === 'json' ? parseJson(text, name) : text);
  }

  /** Yields the bytes of a file while the files together are within their limit. */
  async *#counted(name: string, bytes: Readable): AsyncGenerator<Uint8Array> {
    const limit = this.#source.fileBytes;
    for await (const chunk of arriving(bytes)) {
      this.#fileBytes += chunk.length;
      if (this.#fileBytes > limit) throw tooLarge(name, limit);
      yield chunk;
    }
  }
}

/** Yields the bytes of a part. They fail only with the form. */
async function* arriving(bytes: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch {
    throw cutOff();
  }
}

async function readText(name: string, bytes: Readable, limitBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of arriving(bytes)) {
    length += chunk.length;
    if (length > limitBytes) throw tooLarge(name, limitBytes);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw malformed(name, 'must be in UTF-8');
  }
}

function malformed(field: string, message: string): ApiError {
  return refusal('malformed_multipart', field, message);
}

function tooLarge(name: string, limitBytes: number): ApiError {
  const message = `must be at most ${limitBytes} bytes`;
  return refusal('payload_too_large', name, message);
}

function cutOff(): ApiError {
  return malformed(ROOT, 'the form is malformed or ends before its last boundary');
}

function tooManyParts(): ApiError {
  const message = `the form must have at most ${MAX_PARTS} parts`;
  return refusal('payload_too_large', ROOT, message);
}

function formTooLarge(limitBytes: number): ApiError {
  return refusal('payload_too_large', ROOT, `the form must be at most ${limitBytes} bytes`);
}

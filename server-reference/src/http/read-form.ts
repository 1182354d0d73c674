import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { Busboy } from '@fastify/busboy';
import type { BusboyInstance } from '@fastify/busboy';

import { ApiError, ROOT, refusal } from '../errors.ts';
import { parseJson } from '../json.ts';
import { BlobTooLarge } from '../store/blobs.ts';
import type { Blobs, StoredBytes } from '../store/blobs.ts';
import { incomingBytes } from './body.ts';
import type { FormShape, PartKind } from './form-shape.ts';
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

/** A form that its schema accepts. */
interface Form<Texts = unknown> {
  /** The text parts of the document by name, with those in JSON parsed. Other parts are ignored. */
  readonly texts: Texts;
  /** In the order in which they were sent. */
  readonly files: readonly FormFile[];
}

/**
 * Reads the form of a request, once. The bytes of its files are stored then.
 *
 * @throws {ApiError} 400 or 413 with the part as field
 */
export type FormReader<Texts = unknown> = () => Promise<Form<Texts>>;

/** What {@link createFormReader} reads from. */
interface FormSource {
  readonly incoming: IncomingMessage;
  readonly blobs: Blobs;
  readonly shape: FormShape;
  /** Checks the form against `shape.schema`. */
  readonly check: SchemaCheck;
  /** Maximum size of one file in bytes. */
  readonly fileBytes: number;
  /** Maximum size of one text in bytes. */
  readonly textBytes: number;
}

/** Allowance for the boundaries of a form and the headers of its parts. */
const FRAMING_BYTES = 8_192;
/** Far above a chunk of the network. The parser never continues when a part that it skips ends with a full buffer. */
const PART_BUFFER_BYTES = 1_048_576;

/** Creates the reader of one request. Its texts have the type that the schema describes. */
export function createFormReader(source: FormSource): FormReader<never> {
  return async function readForm() {
    const parts = await readParts(source);
    const issues = source.check(asValue(parts, source.shape));
    if (issues.length > 0) throw new ApiError(issues);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema vouches for the texts
    return { texts: Object.fromEntries(parts.texts) as never, files: parts.files };
  };
}

/** The declared parts of a form. */
interface FormParts {
  readonly texts: ReadonlyMap<string, unknown>;
  readonly files: readonly FormFile[];
}

/** The form as its schema describes it. */
function asValue({ texts, files }: FormParts, shape: FormShape): Record<string, unknown> {
  const value = new Map(texts);
  for (const { name } of files) {
    const isList = shape.kindOf(name) === 'files';
    value.set(name, isList ? files.filter((file) => file.name === name).map(() => '') : '');
  }
  return Object.fromEntries(value);
}

async function readParts(source: FormSource): Promise<FormParts> {
  const { incoming, blobs, shape, fileBytes, textBytes } = source;
  const form = openForm(source);
  const limitBytes = fileBytes + textBytes + FRAMING_BYTES;
  if (Number(incoming.headers['content-length'] ?? 0) > limitBytes) throw formTooLarge(limitBytes);
  const texts = new Map<string, unknown>();
  const names = new Set<string>();
  const streams: Readable[] = [];
  const files: Promise<FormFile>[] = [];
  let refused: unknown;

  const refuse = (error: unknown): void => {
    refused ??= error;
    form.destroy();
  };
  /** Passes on the parts that the document has. */
  const take = (name: string | undefined, use: (name: string, kind: PartKind) => void): void => {
    try {
      if (name === undefined || name === '') throw malformed(ROOT, 'every part must have a name');
      const kind = shape.kindOf(name);
      if (kind === undefined) return;
      if (kind !== 'files' && names.has(name)) throw malformed(name, 'must be sent only once');
      names.add(name);
      use(name, kind);
    } catch (error) {
      refuse(error);
    }
  };
  form.on('file', (given: string | undefined, bytes, filename, _encoding, contentType) => {
    streams.push(bytes);
    // The form reports its end too. Without a listener, the process would end.
    bytes.on('error', () => {});
    take(given, (name, kind) => {
      if (!isFileKind(kind)) throw malformed(name, 'must be a text without a file name');
      const stored = blobs.put(bytes, fileBytes).then(
        (one) => ({ name, filename, contentType, bytes: one }),
        (error: unknown) => {
          throw error instanceof BlobTooLarge ? tooLarge(name, fileBytes) : error;
        },
      );
      files.push(stored);
      stored.catch(refuse);
    });
    if (files.length < streams.length) bytes.resume();
  });
  form.on('field', (given: string | undefined, text, _cutName, isCut) => {
    take(given, (name, kind) => {
      if (isCut) throw tooLarge(name, textBytes);
      texts.set(name, kind === 'json' ? parseJson(text, name) : text);
    });
  });

  try {
    const arrived = pipeline(incomingBytes(incoming), (all) => atMost(limitBytes, all), form);
    // After two closing boundaries, the parser finishes before the body has ended, and the pipeline never settles.
    await Promise.race([arrived, once(form, 'finish')]);
    return { texts, files: await Promise.all(files) };
  } catch (error) {
    for (const stream of streams) stream.destroy();
    await Promise.allSettled(files);
    if (refused instanceof ApiError) throw refused;
    throw error instanceof ApiError ? error : cutOff();
  }
}

function openForm({ incoming, shape, textBytes }: FormSource): BusboyInstance {
  const types = incoming.headersDistinct['content-type'] ?? [];
  const [type = ''] = types;
  if (types.length !== 1 || !isForm(incoming)) {
    throw refusal(
      'unsupported_media_type',
      ROOT,
      'the body must be declared as multipart/form-data',
      { hint: 'Send one header Content-Type: multipart/form-data with its boundary.' },
    );
  }
  try {
    return new Busboy({
      headers: { 'content-type': type },
      preservePath: true,
      fileHwm: PART_BUFFER_BYTES,
      isPartAFile: (name, _type, filename) =>
        filename !== undefined || isFileKind(shape.kindOf(name ?? '')),
      limits: { fieldSize: textBytes },
    });
  } catch {
    throw malformed(ROOT, 'the Content-Type must have a valid boundary');
  }
}

function isFileKind(kind: PartKind | undefined): boolean {
  return kind === 'file' || kind === 'files';
}

/** Whether the body of a request is declared as a form. */
export function isForm({ headersDistinct }: IncomingMessage): boolean {
  return FORM_TYPE.test(headersDistinct['content-type']?.[0] ?? '');
}

const FORM_TYPE = /^multipart\/form-data\s*(;|$)/i;

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

function malformed(field: string, message: string): ApiError {
  return refusal('malformed_multipart', field, message);
}

function tooLarge(name: string, limitBytes: number): ApiError {
  const message = `must be at most ${limitBytes} bytes`;
  return refusal('payload_too_large', name, message);
}

function formTooLarge(limitBytes: number): ApiError {
  return refusal('payload_too_large', ROOT, `the form must be at most ${limitBytes} bytes`);
}

function cutOff(): ApiError {
  return malformed(ROOT, 'the form is malformed or ends before its last boundary');
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

import { Busboy } from '@fastify/busboy';
import type { BusboyHeaders, BusboyInstance } from '@fastify/busboy';

import { badRequest, ROOT } from './api-error.ts';
import type { ApiError } from './api-error.ts';
import { incomingBytes } from './body.ts';

/** A form without the bytes of its file. */
export interface Form {
  /** As sent by the caller; undefined if the file part has none. */
  readonly filename: string | undefined;
  /** Without parameters; `text/plain` if the file part has none. */
  readonly contentType: string;
  /** The other fields of the form, by name. */
  readonly fields: ReadonlyMap<string, string>;
}

const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 1_000;
const PARTS_EXPECTED = 'every part must have a name, and the name of the file part must be file';

/**
 * Reads a form with exactly one file part, named `file`, as a stream. The part may come at any position.
 * The promise settles only after `takeFile` has settled.
 *
 * @param takeFile - reads all bytes of the file; if it rejects, the form is not read further
 * @throws {ApiError} 400 `unsupported_media_type`, `malformed_multipart`, `malformed_request`
 */
export async function readMultipart(
  request: IncomingMessage,
  response: ServerResponse,
  takeFile: (bytes: Readable) => Promise<void>,
): Promise<Form> {
  const parser = openParser(request);
  const fields = new Map<string, string>();
  const files: { label: Omit<Form, 'fields'>; bytes: Readable; taking: Promise<void> }[] = [];
  let failure: { readonly cause: unknown } | undefined;
  let onFailure: ((cause: unknown) => void) | undefined;
  const fail = (cause: unknown): void => {
    failure ??= { cause };
    onFailure?.(cause);
  };
  const unlessFailed = (begin: (done: () => void) => void): Promise<void> =>
    new Promise((resolve, reject) => {
      onFailure = reject;
      if (failure === undefined) begin(resolve);
      else reject(failure.cause);
    });

  parser.on('file', (name, bytes, filename, _encoding, contentType) => {
    if (name !== 'file' || files.length > 0) {
      bytes.resume();
      fail(
        name === 'file' ? malformed('must be sent only once', 'file') : malformed(PARTS_EXPECTED),
      );
      return;
    }
    const taking = takeFile(bytes);
    taking.catch(fail);
    files.push({ label: { filename, contentType }, bytes, taking });
  });
  parser.on('field', (name, value, _nameTruncated, valueTruncated) => {
    if (valueTruncated) fail(malformed(`must be at most ${MAX_FIELD_BYTES} bytes`, name));
    else if (fields.has(name)) fail(malformed('must be sent only once', name));
    else fields.set(name, value);
  });
  parser.on('fieldsLimit', () =>
    fail(malformed(`the form must have at most ${MAX_FIELDS} fields`)),
  );
  parser.on('error', () =>
    fail(malformed('the form is malformed or ends before its last boundary')),
  );

  try {
    for await (const chunk of incomingBytes(request, response)) {
      await unlessFailed((done) => parser.write(chunk, () => done()));
    }
    await unlessFailed((done) => {
      parser.once('finish', done);
      parser.end();
    });
    await Promise.all(files.map(({ taking }) => taking));
  } finally {
    for (const { bytes, taking } of files) {
      bytes.destroy();
      await taking.catch(() => undefined);
    }
  }
  const [file] = files;
  if (file === undefined) throw malformed('is required; send one file as this part', 'file');
  return { ...file.label, fields };
}

function openParser(request: IncomingMessage): BusboyInstance {
  const types = request.headersDistinct['content-type'] ?? [];
  if (types.length !== 1 || !/^multipart\/form-data\s*(;|$)/i.test(types[0] ?? '')) {
    throw badRequest(
      'unsupported_media_type',
      ROOT,
      'the body must be declared as multipart/form-data',
      'Send one header Content-Type: multipart/form-data with its boundary.',
    );
  }
  const headers: BusboyHeaders = { 'content-type': types[0] ?? '' };
  const limits = { fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, headerSize: 16_384 };
  try {
    return new Busboy({ headers, limits, isPartAFile, preservePath: true });
  } catch {
    throw malformed('the Content-Type must have a valid boundary');
  }
}

function malformed(message: string, field = ROOT): ApiError {
  return badRequest('malformed_multipart', field, message);
}

/** A part without a name may be the file, so it is treated as one and refused. */
function isPartAFile(name: string | undefined, _type?: string, filename?: string): boolean {
  return name === undefined || name === 'file' || filename !== undefined;
}

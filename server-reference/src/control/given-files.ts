import { Readable } from 'node:stream';

import { badRequest } from '../app/api-error.ts';
import { readArtifactPath } from '../datasets/artifact-path.ts';
import type { StoredFile } from '../state/stored-file.ts';
import type { Blobs } from '../store/blobs.ts';

/** A file in the body of a control request: text in UTF-8, or bytes in base64. */
export interface GivenFile {
  readonly path: string;
  readonly text?: string;
  readonly base64?: string;
  /** Default `application/octet-stream`. */
  readonly contentType?: string;
}

const BASE64 = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';

/** What a list of files must look like. */
export const GIVEN_FILES_SCHEMA = {
  type: 'array',
  maxItems: 100,
  items: {
    type: 'object',
    required: ['path'],
    additionalProperties: false,
    properties: {
      path: { type: 'string' },
      text: { type: 'string' },
      base64: { type: 'string', pattern: BASE64 },
      contentType: { type: 'string', pattern: '^[\\w.+-]+/[\\w.+-]+$', maxLength: 255 },
    },
  },
} as const;

/**
 * Puts the bytes of files where the records expect them.
 *
 * @param field - where the body has the files
 * @returns what to keep of them, ordered by path
 * @throws {ApiError} 400 for a path that is none or comes twice, and for a file without its bytes or
 * with two sorts of them; nothing is stored then
 */
export async function storeGivenFiles(
  blobs: Blobs,
  field: string,
  files: readonly GivenFile[],
): Promise<StoredFile[]> {
  const read = files.map((file, index) => readFile(file, `${field}[${index}]`, files, index));
  const stored = await Promise.all(
    read.map(async ({ path, contentType, bytes }) => {
      const { size, sha256 } = await blobs.put(Readable.from([bytes]), bytes.length);
      return { path, contentType, size, sha256 };
    }),
  );
  return stored.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

interface ReadFile {
  readonly path: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

function readFile(
  { path, text, base64, contentType = 'application/octet-stream' }: GivenFile,
  field: string,
  all: readonly GivenFile[],
  index: number,
): ReadFile {
  readArtifactPath(path, `${field}.path`);
  if (all.findIndex((other) => other.path === path) !== index) {
    throw badRequest('invalid_value', `${field}.path`, 'is the path of a file before it');
  }
  if ((text === undefined) === (base64 === undefined)) {
    throw badRequest('invalid_value', field, 'must have either text or base64');
  }
  const bytes = text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text);
  return { path, contentType, bytes };
}

import { badRequest } from '../app/api-error.ts';
import { readArtifactPath } from '../datasets/artifact-path.ts';
import { occupantOf } from '../datasets/example-files.ts';
import type { FileBytes } from '../runs/hold-files.ts';

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
export const GIVEN_FILES_SCHEMA: Readonly<Record<string, unknown>> = {
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
};

/**
 * Reads the files of a body.
 *
 * @param field - where the body has them
 * @throws {ApiError} 400 for a path that is none, or is taken by a file before it or by the folder of
 * one, and for a file without its bytes or with two sorts of them
 */
export function readGivenFiles(field: string, files: readonly GivenFile[] = []): FileBytes[] {
  return files.map((file, index) => readFile(file, `${field}[${index}]`, files.slice(0, index)));
}

function readFile(
  { path, text, base64, contentType = 'application/octet-stream' }: GivenFile,
  field: string,
  before: readonly GivenFile[],
): FileBytes {
  readArtifactPath(path, `${field}.path`);
  if (occupantOf(before, path) !== undefined) {
    const message = 'is the place of another file, or of its folder';
    throw badRequest('invalid_value', `${field}.path`, message);
  }
  if ((text === undefined) === (base64 === undefined)) {
    throw badRequest('invalid_value', field, 'needs either text or base64');
  }
  const bytes = text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text);
  return { path, contentType, bytes };
}

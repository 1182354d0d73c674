import { toArtifactName } from '../../api/files/artifact-path.ts';
import { isMediaType, UNKNOWN_TYPE } from '../../api/files/file-label.ts';
import { findLiveFile } from '../../api/files/file.ts';
import { invalidValue, notFound } from '../../errors.ts';
import type { StoredBytes } from '../../store/blobs.ts';
import type { StoredFile } from '../../store/datasets.ts';
import { foldName } from '../../api/files/artifact-path.ts';
import type { FileRecord } from '../../store/files.ts';
import type { TenantId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReadonlyState } from '../../store/state.ts';
import type { FileReference } from './read-references.ts';

/** A file for a run, whose bytes are stored. */
export interface InputFile {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: StoredBytes;
}

/** Bounds the files of one run, because each of them is stored and listed. */
export const MAX_INPUT_FILES = 1_000;

/** Collects the input files of a run, each at a path of its own below `input/`. */
export class InputFiles {
  readonly stored: StoredFile[] = [];
  /** The paths of the files and of their folders, so that thousands of files need no comparison of each pair. */
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();
  /** The number from which a path may be free, by field and name: a path that is taken stays taken. */
  readonly #numbers = new Map<string, number>();

  /** Adds a file, and returns the reference that replaces it in the input. */
  add({ filename, contentType, bytes }: InputFile, field: string): { readonly $file: string } {
    const path = this.#freePath(toArtifactName(field), toArtifactName(filename));
    this.stored.push({ path, contentType, size: bytes.size, sha256: bytes.sha256 });
    return { $file: `input/${path}` };
  }

  #freePath(field: string, name: string): string {
    if (this.#take(null, name)) return name;
    const key = foldName(`${field}/${name}`);
    for (let number = this.#numbers.get(key) ?? 1; ; number += 1) {
      const folder = number === 1 ? field : `${field}-${number}`;
      if (!this.#take(folder, name)) continue;
      this.#numbers.set(key, number + 1);
      return `${folder}/${name}`;
    }
  }

  /** Takes a path if it is free. No file may have the path or the folder of another, whatever their case. */
  #take(folder: string | null, name: string): boolean {
    const path = foldName(folder === null ? name : `${folder}/${name}`);
    const parent = folder === null ? null : foldName(folder);
    if (this.#files.has(path) || this.#folders.has(path)) return false;
    if (parent !== null && this.#files.has(parent)) return false;
    this.#files.add(path);
    if (parent !== null) this.#folders.add(parent);
    return true;
  }
}

/**
 * Returns the file that a `$fileId` names.
 *
 * @throws {ApiError} `not_found` for a file that is unknown, deleted, expired or of another tenant; `invalid_value` for one
 * that is no text
 */
export function findReferenced(
  state: Pick<ReadonlyState, 'files'>,
  tenantId: TenantId,
  { value, path }: FileReference,
  now: number,
): DeepReadonly<FileRecord> {
  if (typeof value !== 'string') {
    throw invalidValue(path, 'must be the id of a file');
  }
  const file = findLiveFile(state, value, now);
  if (file === undefined || file.tenantId !== tenantId) throw notFound(path, 'no file has this id');
  return file;
}

/** The content of an `$inline`. */
interface InlineFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/**
 * Reads the value of an `$inline`.
 *
 * @throws {ApiError} `invalid_value` without one of `filename`, `mimeType` and `base64`, and for a text that is not
 * base64
 */
export function readInline({ value, path }: FileReference): InlineFile {
  const filename = readText(value, path, 'filename');
  const contentType = readText(value, path, 'mimeType');
  const base64 = readText(value, path, 'base64');
  const content = Buffer.from(base64, 'base64');
  const full = content.toString('base64');
  if (base64 !== full && base64 !== full.replace(/=+$/, '')) {
    throw invalidValue(`${path}.base64`, 'must be base64');
  }
  return { filename, contentType: isMediaType(contentType) ? contentType : UNKNOWN_TYPE, content };
}

function readText(value: unknown, path: string, name: string): string {
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  const text: unknown = isObject ? Reflect.get(value, name) : undefined;
  if (typeof text === 'string' && text !== '') return text;
  throw invalidValue(`${path}.${name}`, 'must be a text that is not empty');
}

/** The error for a `$file`, which names a file of a run or of an example. */
export function unknownStoredFile({ path }: FileReference): Error {
  return invalidValue(
    path,
    'must not be sent here: a new run has no stored files',
    'Send $fileId or $inline.',
  );
}

/** The error for more than {@link MAX_INPUT_FILES} files. */
export function tooManyFiles(field: string): Error {
  return invalidValue(field, `a run must have at most ${MAX_INPUT_FILES} files`);
}

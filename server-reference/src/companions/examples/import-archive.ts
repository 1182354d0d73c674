import { inOrder } from '../../api/files/artifact-path.ts';
import { UNKNOWN_TYPE } from '../../api/files/file-label.ts';
import { refusal } from '../../errors.ts';
import type { ApiError } from '../../errors.ts';
import { isRecord, parseJson } from '../../json.ts';
import type { Blobs, StoredBytes } from '../../store/blobs.ts';
import type { StoredFile } from '../../store/datasets.ts';
import { readExamples, refuseArchive } from './archive-layout.ts';
import type { ArchivedExample, ArchivedFile } from './archive-layout.ts';
import { readZipDirectory } from './zip-directory.ts';
import type { ZipDirectory, ZipMember } from './zip-directory.ts';

/** An example of an archive. The bytes of its files are stored. */
export interface ImportedExample {
  readonly name: string;
  readonly input: StoredFile[];
  readonly expected: StoredFile[];
  readonly inputJson: Record<string, unknown> | null;
  readonly expectedJson: unknown;
}

interface ImportLimits {
  /** Maximum size of an unpacked archive in bytes. */
  readonly unpackedBytes: number;
  /** Maximum size of `input.json` and `expected.json` in bytes. */
  readonly jsonBytes: number;
}

const MAX_ENTRIES = 200_000;
/** Other requests get their turn after this many examples. */
const TURN_EXAMPLES = 100;
/** What an archive may always unpack to, and beyond that the growth of its bytes. */
const SMALL_ARCHIVE_BYTES = 67_108_864;
const MAX_GROWTH = 20;

/**
 * Reads the examples of a stored archive, and passes them to a function. The bytes of their files are protected
 * from sweeps until it has settled: commit the records that refer to them inside.
 *
 * @throws {ApiError} `invalid_archive` or `payload_too_large` on `file` for an archive that is no complete dataset, before `use` is called
 */
export async function importArchive<T>(
  blobs: Blobs,
  archive: StoredBytes,
  limits: ImportLimits,
  use: (examples: readonly ImportedExample[]) => Promise<T>,
): Promise<T> {
  const held: string[] = [];
  try {
    const directory = await readZipDirectory(blobs, archive, MAX_ENTRIES).catch(refuseArchive);
    refuseTooLarge(directory, archive, limits);
    const reader = new ExampleReader(blobs, limits, held);
    const examples: ImportedExample[] = [];
    for (const archived of await readExamples(directory)) {
      const example = await reader.read(archived).catch(refuseArchive);
      examples.push(example);
      if (examples.length % TURN_EXAMPLES === 0) await new Promise(setImmediate);
    }
    return await use(examples);
  } finally {
    for (const sha256 of held) blobs.release(sha256);
  }
}

function refuseTooLarge(
  { files }: ZipDirectory,
  archive: StoredBytes,
  { unpackedBytes }: ImportLimits,
): void {
  const grown = SMALL_ARCHIVE_BYTES + MAX_GROWTH * archive.size;
  const limit = Math.min(unpackedBytes, grown);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > limit) throw tooLarge(`must unpack to at most ${limit} bytes, got ${size}`);
}

function tooLarge(message: string): ApiError {
  return refusal('payload_too_large', 'file', message);
}

class ExampleReader {
  readonly #blobs: Blobs;
  readonly #limits: ImportLimits;
  readonly #held: string[];

  constructor(blobs: Blobs, limits: ImportLimits, held: string[]) {
    this.#blobs = blobs;
    this.#limits = limits;
    this.#held = held;
  }

  async read({ name, ...parts }: ArchivedExample): Promise<ImportedExample> {
    return {
      name,
      input: await this.#store(parts.input),
      expected: await this.#store(parts.expected),
      inputJson: readInput(await this.#readJson(parts.inputJson), parts.inputJson),
      expectedJson: await this.#readJson(parts.expectedJson),
    };
  }

  async #store(files: readonly ArchivedFile[]): Promise<StoredFile[]> {
    const stored: StoredFile[] = [];
    for (const { path, member } of files) {
      const bytes = await this.#blobs.put(member.read(), member.size);
      this.#held.push(bytes.sha256);
      stored.push({ path, contentType: UNKNOWN_TYPE, ...bytes });
    }
    return inOrder(stored);
  }

  /** Null without a member. */
  async #readJson(member: ZipMember | undefined): Promise<unknown> {
    if (member === undefined) return null;
    const { jsonBytes } = this.#limits;
    if (member.size > jsonBytes) {
      throw tooLarge(`must have at most ${jsonBytes} bytes in ${member.name}`);
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of member.read()) chunks.push(chunk);
    try {
      const decoder = new TextDecoder('utf-8', { fatal: true });
      return parseJson(decoder.decode(Buffer.concat(chunks)), 'file');
    } catch {
      throw notJson(member, 'JSON in UTF-8');
    }
  }
}

function readInput(value: unknown, member: ZipMember | undefined): Record<string, unknown> | null {
  if (member === undefined) return null;
  if (isRecord(value)) return value;
  throw notJson(member, 'a JSON object');
}

function notJson({ name }: ZipMember, what: string): ApiError {
  return refusal('invalid_archive', 'file', `must have ${what} in ${name.slice(0, 120)}`);
}

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { isRecord } from '../command-line/json-file.ts';
import { makeFolder } from '../command-line/make-folder.ts';
import { UsageError } from '../command-line/errors.ts';

/** A name and a value, as received. */
export type Header = readonly [name: string, value: string];

/** Returns the value of a header, the first if it is repeated. */
export function headerValue(headers: readonly Header[], name: string): string | undefined {
  return headers.find(([one]) => one.toLowerCase() === name)?.[1];
}

/** A delivery as it arrived. */
export interface ReceivedDelivery {
  /** In the received order and case. */
  readonly headers: readonly Header[];
  readonly body: Buffer;
  /** When it arrived, in milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** A delivery as it was saved. */
export interface SavedDelivery extends ReceivedDelivery {
  /** Status of the response to the platform; null without one. */
  readonly status: number | null;
}

/** The version of the files. */
const FORMAT = 1;
/** Only the user can read the files: a payload can be confidential. */
const [FOLDER_MODE, FILE_MODE] = [0o700, 0o600];

/**
 * Writes a delivery into a new folder: `body` with its bytes, `headers.json` with pairs of name and value, and
 * `meta.json` with the rest.
 */
export function writeDelivery(
  folder: string,
  { headers, body, receivedAt }: ReceivedDelivery,
  meta: object,
): void {
  makeFolder(folder, FOLDER_MODE);
  const about = { format: FORMAT, receivedAt: new Date(receivedAt).toISOString(), ...meta };
  const files = [
    ['body', body],
    ['headers.json', `${JSON.stringify(headers, null, 2)}\n`],
    ['meta.json', `${JSON.stringify(about, null, 2)}\n`],
  ] as const;
  for (const [name, content] of files) {
    writeFileSync(join(folder, name), content, { mode: FILE_MODE });
  }
}

/**
 * Reads a delivery that {@link writeDelivery} wrote.
 *
 * @throws {UsageError} if the folder contains none
 */
export function readDelivery(folder: string): SavedDelivery {
  const headers = readJson(folder, 'headers.json');
  const meta = readJson(folder, 'meta.json');
  if (!Array.isArray(headers) || !headers.every(isHeader)) {
    throw invalid(folder, 'headers.json must contain pairs of a name and a value');
  }
  const receivedAt = isRecord(meta) ? Date.parse(String(meta['receivedAt'])) : Number.NaN;
  if (Number.isNaN(receivedAt)) throw invalid(folder, 'meta.json must contain the time receivedAt');
  const response = isRecord(meta) && isRecord(meta['response']) ? meta['response'] : {};
  const status = typeof response['status'] === 'number' ? response['status'] : null;
  return { headers, body: readPart(folder, 'body'), receivedAt, status };
}

function readJson(folder: string, name: string): unknown {
  const text = readPart(folder, name).toString();
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(folder, `${name} must contain JSON`);
  }
}

function readPart(folder: string, name: string): Buffer {
  try {
    return readFileSync(join(folder, name));
  } catch (error) {
    throw invalid(folder, error instanceof Error ? error.message : String(error));
  }
}

function isHeader(value: unknown): value is Header {
  return (
    Array.isArray(value) && value.length === 2 && value.every((text) => typeof text === 'string')
  );
}

function invalid(folder: string, problem: string): UsageError {
  return new UsageError(
    `${folder} must be a folder that hookproof listen --save wrote: ${problem}.`,
  );
}

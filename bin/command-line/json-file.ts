import { readFileSync } from 'node:fs';

import { UsageError } from './errors.ts';

/**
 * Reads a text file in UTF-8. Returns it without the byte order mark that some editors write.
 *
 * @throws {Error} for a file that cannot be read, and for other bytes
 */
export function readText(file: string): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
}

/** Reads a JSON object from a file. `subject` is the name of the file in messages. */
export function readJsonObject(subject: string, file: string): Record<string, unknown> {
  return readObject(subject, file, 'JSON', JSON.parse);
}

/** Reads an object from a file. `format` is the name of its format in messages. */
export function readObject(
  subject: string,
  file: string,
  format: string,
  parseText: (text: string) => unknown,
): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = parseText(readText(file));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${subject} must be a readable ${format} file: ${reason}`);
  }
  if (isRecord(parsed)) return parsed;
  throw new UsageError(`${subject} must contain a JSON object, such as {"key": "value"}.`);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

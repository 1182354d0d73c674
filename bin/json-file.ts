import { readFileSync } from 'node:fs';

import { UsageError } from './usage-error.ts';

/** Reads a JSON object from a file that the user named; `name` is how the user knows it. */
export function readJsonObject(name: string, file: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${name} is not readable as JSON: ${reason}`);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new UsageError(`${name} must hold a JSON object, such as {"key": "value"}.`);
  }
  return { ...parsed };
}

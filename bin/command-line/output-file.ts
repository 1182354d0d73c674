import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import { UsageError } from './errors.ts';

/**
 * Throws a usage error when a file cannot be written, so that a run does not end without its report. `subject` is the
 * option as the user gave it. Creates nothing.
 */
export function requireWritable(subject: string, file: string): void {
  const folder = dirname(file);
  const exists = existsSync(file);
  if (exists && statSync(file).isDirectory()) {
    throw new UsageError(`${subject} must name a file, got the folder ${file}.`);
  }
  if (!exists && !(existsSync(folder) && statSync(folder).isDirectory())) {
    throw new UsageError(
      `${subject} must name a file in an existing folder, but ${folder} is none. Create the folder first.`,
    );
  }
  try {
    accessSync(exists ? file : folder, constants.W_OK);
  } catch (error) {
    throw unwritable(subject, file, error);
  }
}

/** A usage error for a file or folder that the operating system refused to write. */
export function unwritable(subject: string, file: string, error: unknown): UsageError {
  const reason = error instanceof Error ? error.message : String(error);
  return new UsageError(
    `${subject} must name a place that this user can write, but ${file} cannot be written: ${reason}. Use another.`,
  );
}

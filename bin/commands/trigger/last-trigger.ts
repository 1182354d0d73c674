import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { isRecord } from '../../command-line/config-file.ts';
import { UsageError } from '../../command-line/errors.ts';
import { stateFolder } from '../../command-line/state-folder.ts';

/** What `--again` needs. It contains no secret. */
export interface LastTrigger {
  readonly scenario: string;
  /** In the order in which the events happened. */
  readonly payloads: readonly string[];
}

/** Remembers what was sent. A folder that cannot be written is no reason to fail: only `--again` needs it. */
export function rememberTrigger(last: LastTrigger, environment: NodeJS.ProcessEnv): void {
  const file = lastFile(environment);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify(last), { mode: 0o600 });
  } catch {
    // As said above.
  }
}

/** @throws {UsageError} if nothing was sent before */
export function readLastTrigger(environment: NodeJS.ProcessEnv): LastTrigger {
  try {
    const read: unknown = JSON.parse(readFileSync(lastFile(environment), 'utf8'));
    if (isLast(read)) return read;
  } catch {
    // Reported below.
  }
  throw new UsageError('--again repeats the last scenario, and none was sent yet. Send one first.');
}

function lastFile(environment: NodeJS.ProcessEnv): string {
  return join(stateFolder(environment), 'last-trigger.json');
}

function isLast(value: unknown): value is LastTrigger {
  if (!isRecord(value) || typeof value['scenario'] !== 'string') return false;
  const { payloads } = value;
  return Array.isArray(payloads) && payloads.every((one) => typeof one === 'string');
}

import { accessSync, constants, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { makeFolder } from '../../command-line/make-folder.ts';
import { UsageError } from '../../command-line/errors.ts';
import { writeDelivery } from '../../saved/delivery-folder.ts';
import type { ListedDelivery } from './history.ts';
import type { Outcome } from './lines.ts';
import { statusOf, summaryOf } from './lines.ts';

/** A folder with one folder for each delivery, such as `0001-whev_1`. */
export interface SavedFolders {
  /** The number of the last delivery that an earlier run saved. */
  readonly last: number;
  /** Writes a delivery when it has arrived, and again with its outcome. */
  save(delivery: ListedDelivery, outcome: Outcome | null): void;
}

/**
 * Opens the folder of `--save`, and creates it if it is missing.
 *
 * @throws {UsageError} if this user cannot write it
 */
export function openSavedFolders(folder: string): SavedFolders {
  try {
    makeFolder(folder, 0o700);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--save ${folder} must be a folder that this user can write: ${reason}.`);
  }
  const numbers = readdirSync(folder).map((name) => Number(/^(\d{4,9})-/.exec(name)?.[1] ?? 0));
  return {
    last: Math.max(0, ...numbers),
    save(delivery, outcome) {
      writeDelivery(join(folder, nameOf(delivery)), delivery, metaOf(delivery, outcome));
    },
  };
}

function nameOf({ number, id }: ListedDelivery): string {
  const safe = (id ?? 'no-id').replaceAll(/[^\w-]/g, '_').slice(0, 80);
  return `${String(number).padStart(4, '0')}-${safe}`;
}

function metaOf({ id, attempt, verdict, body }: ListedDelivery, outcome: Outcome | null): object {
  const { code, explanation } = verdict;
  const signature = { verdict: code, cause: explanation?.cause ?? null };
  const response =
    outcome === null
      ? null
      : {
          status: statusOf(outcome.result),
          error: outcome.result.kind === 'error' ? outcome.result.code : null,
          milliseconds: outcome.milliseconds,
        };
  return { id, attempt, ...summaryOf(body), signature, response };
}

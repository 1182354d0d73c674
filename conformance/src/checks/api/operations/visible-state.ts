import type { CheckContext } from '../../../check-kit/check.ts';
import { assumeSuccess } from '../../../check-kit/expect.ts';
import { contractSchema } from '../../../check-kit/schema.ts';
import { digestsOf } from './dataset-files.ts';
import { fileNamesIn, listExpectedFiles } from './expected-files.ts';
import { freshExport } from './export.ts';
import { fixtureOrNull } from './files.ts';
import { INBOX, readPage } from './lists.ts';
import type { VisibleState } from './operation.ts';
import { membersOf } from '../../../http/message.ts';
import { UPDATABLE } from './review-fields.ts';
import { comparable } from './review-update.ts';
import { readReview } from './reviews.ts';

/** Every review request in a world of its own; elsewhere, where others work too, what an update can change of one. */
export function reviewsOf(sandbox: CheckContext, reviewId: string): VisibleState {
  if (!sandbox.disposable) {
    return {
      name: 'review',
      async read() {
        const { entry } = await readReview(sandbox, reviewId);
        return Object.fromEntries(UPDATABLE.map((name) => [name, comparable(name, entry)]));
      },
    };
  }
  return {
    name: 'reviews',
    async read(before) {
      const query = { limit: 100, offset: 0 };
      const response = await sandbox.api.send({ path: INBOX.path, query });
      assumeSuccess(response);
      const { entries } = readPage(INBOX, response);
      const now = Object.fromEntries(
        entries.map((entry) => [String(entry['id']), documented(entry)] as const),
      );
      // Others may add a request at any time, and no operation of the contract deletes one.
      return Object.fromEntries(
        Object.entries(membersOf(before ?? now)).map(([id, then]) => [id, now[id] ?? then]),
      );
    },
  };
}

/** The files of a dataset. */
export function datasetOf(sandbox: CheckContext, automation: string): VisibleState {
  return {
    name: 'dataset',
    async read() {
      const { files } = await freshExport(sandbox.api, { automation });
      return digestsOf(files);
    },
  };
}

/** The corrected and copied files of every known run. */
export function expectedFilesOf(sandbox: CheckContext): VisibleState {
  const runs = (['runId', 'reviewedRunId'] as const).flatMap(
    (name) => fixtureOrNull(sandbox, name) ?? [],
  );
  return {
    name: 'copied and corrected files',
    async read() {
      const lists = runs.map(async (run) => {
        const listed = await listExpectedFiles(sandbox.api, run);
        return [run, fileNamesIn(listed, run).toSorted()] as const;
      });
      return Object.fromEntries(await Promise.all(lists));
    },
  };
}

/** Members that change without an update: the progress whenever a reviewer decides, and closedAt some time after closing. */
const OF_OTHERS: ReadonlySet<string> = new Set(['progress', 'closedAt']);

/** The members that the contract names: others, such as a time of reading, may change at any time. */
function documented(entry: Readonly<Record<string, unknown>>): unknown {
  const names = Object.keys(contractSchema('DatasetReviewRequest').properties ?? {});
  const known = names.filter((name) => name in entry && !OF_OTHERS.has(name));
  return Object.fromEntries(known.map((name) => [name, comparable(name, entry)]));
}

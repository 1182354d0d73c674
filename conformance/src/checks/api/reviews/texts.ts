import type { Check } from '../../../check-kit/check.ts';
import { assumeSuccess, expectAllowed, expectEqual, isRefused } from '../../../check-kit/expect.ts';
import { membersOf } from '../../../http/message.ts';
import { NotApplicable } from '../../../verdict/findings.ts';
import { comparable, updateReview } from '../operations/review-update.ts';
import type { Entry } from '../operations/review-update.ts';
import { readReview, reviewUpdate } from '../operations/reviews.ts';
import { openSandbox } from '../operations/sandbox.ts';

/** Without blanks at its ends and without control characters, which a deployment may refuse or trim. */
const TEXT = [
  'Zoë, and Zoe\u0308 with a combining mark',
  '日本語 العربية 😀',
  '"double" \'single\' “curly” back\\slash \\u00e9 %20 + &amp; <b>',
].join('; ');

const LONG = `${'A long text. '.repeat(160)}${TEXT}`;

/** Each text in its own update, so that a deployment may refuse one of them. */
const CHANGES: Readonly<Record<string, { readonly requirement: string; readonly change: Entry }>> =
  {
    title: { requirement: 'title', change: { title: TEXT } },
    instructions: { requirement: 'instructions', change: { instructions: TEXT } },
    'long-instructions': { requirement: 'instructions', change: { instructions: LONG } },
    'focus-fields': {
      requirement: 'focus-fields',
      change: { focusFields: [{ path: 'größe.日本', reason: TEXT }] },
    },
    'ignored-fields': {
      requirement: 'ignored-fields',
      change: { ignoredFields: ['größe.日本', TEXT] },
    },
  };

/** A text that an update sets comes back as it was sent. */
export const reviewTextChecks: readonly Check[] = Object.entries(CHANGES).map(
  ([id, { requirement, change }]) =>
    reviewUpdate.check({
      name: `text-${id}`,
      requirements: [`review-update.body.${requirement}`],
      title: `${Object.keys(change).join()} comes back character for character`,
      async run(context) {
        const sandbox = await openSandbox(context);
        const review = sandbox.fixture('openReviewId');
        const { entry: before } = await readReview(sandbox, sandbox.key, review);
        assumeSuccess(await updateReview(sandbox, before));
        const updated = await updateReview(sandbox, before, change);
        if (isRefused(updated)) {
          throw new NotApplicable(`the API refuses this text with ${updated.status}`);
        }
        expectAllowed(updated);
        const detail = membersOf(updated.json);
        const { entry, response } = await readReview(sandbox, sandbox.key, review);
        for (const name of Object.keys(change)) {
          const expected = comparable(name, change);
          expectEqual(name, comparable(name, detail), expected, updated);
          expectEqual(`in the inbox, ${name}`, comparable(name, entry), expected, response);
        }
      },
    }),
);

import type { Check, CheckContext } from '../../../check-kit/check.ts';
import {
  assumeSuccess,
  expectAllowed,
  expectEqual,
  isRefused,
  show,
  violation,
} from '../../../check-kit/expect.ts';
import { judgeEach } from '../../../check-kit/values.ts';
import { firstDifference } from '../../../check-kit/first-difference.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import { membersOf } from '../../../http/message.ts';
import { NotApplicable } from '../../../verdict/findings.ts';
import { INBOX, readPage } from '../operations/lists.ts';
import { UPDATABLE } from '../operations/review-fields.ts';
import type { Entry } from '../operations/review-fields.ts';
import { comparable, updateReview } from '../operations/review-update.ts';
import { patchReview, readReview, reviewUpdate } from '../operations/reviews.ts';
import { openSandbox } from '../operations/sandbox.ts';

/** Without blanks at its ends and without control characters but line breaks, which a deployment may refuse or trim. */
const TEXT = [
  'Zoë, and Zoe\u0308 with a combining mark',
  '日本語 العربية 😀',
  '"double" \'single\' “curly” back\\slash \\u00e9 %20 + &amp; <b>',
].join('; ');

const LONG = `${'A long text. '.repeat(160)}${TEXT}`;

/**
 * Changes of a field in an update with every field, by the end of the requirement's id. A deployment may refuse each but
 * the first.
 */
const FIELDS: Readonly<Record<string, Readonly<Record<string, Entry>>>> = {
  title: {
    'a title': { title: 'A title given by the conformance suite' },
    'unusual characters': { title: TEXT },
  },
  instructions: {
    instructions: { instructions: 'Instructions given by the conformance suite' },
    'unusual characters': { instructions: TEXT },
    'a long text': { instructions: LONG },
    'several lines': { instructions: 'The first line.\n\n- the second\n- and the third' },
    'an empty text': { instructions: '' },
  },
  'focus-fields': {
    'two fields': {
      focusFields: [
        { path: 'Suite.firstField', reason: 'Given by the suite' },
        { path: 'suite.second', reason: 'too' },
      ],
    },
    'unusual characters': { focusFields: [{ path: 'größe.日本', reason: TEXT }] },
    'fields without a reason': {
      focusFields: [{ path: 'suite.first' }, { path: 'suite.second', reason: null }],
    },
    'an empty list': { focusFields: [] },
  },
  'ignored-fields': {
    'two fields': { ignoredFields: ['Suite.ignoredField', 'suite.other'] },
    'unusual characters': { ignoredFields: ['größe.日本', TEXT] },
    'an empty list': { ignoredFields: [] },
  },
};

/** What every other field has before a partial update, so that there is something to lose. */
const BEFORE: Entry = {
  title: 'A title before a partial update',
  instructions: 'Instructions before a partial update',
  focusFields: [{ path: 'suite.before', reason: 'Before a partial update' }],
  ignoredFields: ['suite.ignored-before'],
};

const PARTS: readonly Entry[] = [
  { title: 'A title alone' },
  { instructions: 'Instructions alone' },
  { focusFields: [{ path: 'suite.alone', reason: 'Alone' }] },
  { ignoredFields: ['suite.ignored-alone'] },
];

/** Closing cannot be undone: it needs its own world. */
const CLOSING_PARTS: readonly Entry[] = [
  { status: 'closed' },
  { title: 'A title with the end', status: 'closed' },
];

/**
 * What an update sets shows in its response and in the inbox, as it was sent. Updates with some of the fields are judged
 * where the API accepts them: the contract does not state which ones are required.
 */
export const reviewChangeChecks: readonly Check[] = [
  ...Object.entries(FIELDS).map(([id, changes]) =>
    reviewUpdate.check({
      name: id,
      requirements: [`review-update.body.${id}`],
      title: `an update of ${namesOf(Object.values(changes)[0] ?? {})} shows in its response and in the inbox, character for character`,
      run: (context) =>
        judgeEach(
          Object.entries(changes),
          ([words]) => words,
          ([words, change]) => {
            const isPlain = words === Object.keys(changes)[0];
            return expectWhole(context, change, isPlain ? undefined : 'the API refuses this value');
          },
        ),
    }),
  ),
  reviewUpdate.check({
    name: 'partial',
    requirements: ['review-update.body.partial'],
    title: 'an update of only one field leaves the other fields as they were',
    run: (context) => judgeEach(PARTS, namesOf, (change) => expectPartial(context, change)),
  }),
  reviewUpdate.check({
    name: 'partial-status',
    needs: ['control', 'fixture.openReviewId'],
    requirements: ['review-update.body.partial'],
    title:
      'an update of only the status, or of title and status, leaves the other fields as they were',
    run: (context) => judgeEach(CLOSING_PARTS, namesOf, (change) => expectPartial(context, change)),
  }),
];

function namesOf(change: Entry): string {
  return Object.keys(change).join(' and ');
}

/** `refused`: why a refusal is no violation. */
async function expectWhole(context: CheckContext, change: Entry, refused?: string): Promise<void> {
  const sandbox = await openSandbox(context);
  const review = sandbox.fixture('openReviewId');
  const { entry: before } = await readReview(sandbox, review);
  // What is set to nothing must be something before.
  assumeSuccess(await updateReview(sandbox, before, isEmptying(change) ? BEFORE : {}));
  const neighbors = await neighborsOf(sandbox, review);
  const updated = await updateReview(sandbox, before, change);
  await expectShown(sandbox, updated, { review, expected: change, refused });
  // What an update does to others can be read when what it does to its own can.
  await expectNeighbors(sandbox, review, neighbors, updated);
}

async function expectPartial(context: CheckContext, change: Entry): Promise<void> {
  const sandbox = await openSandbox(context);
  const review = sandbox.fixture('openReviewId');
  const { entry } = await readReview(sandbox, review);
  assumeSuccess(await updateReview(sandbox, entry, BEFORE));
  const { entry: before } = await readReview(sandbox, review);
  const updated = await patchReview(sandbox, before, change);
  const known = UPDATABLE.map((name) => [name, before[name]] as const);
  const expected = { ...Object.fromEntries(known), ...change };
  const refused = `the API requires more fields than ${namesOf(change)}`;
  await expectShown(sandbox, updated, { review, expected, refused });
}

async function expectShown(
  sandbox: CheckContext,
  updated: ApiResponse,
  {
    review,
    expected,
    refused,
  }: { readonly review: string; readonly expected: Entry; readonly refused: string | undefined },
): Promise<void> {
  if (refused !== undefined && isRefused(updated)) {
    throw new NotApplicable(`${refused}: status ${updated.status}`);
  }
  expectAllowed(updated);
  const detail = membersOf(updated.json);
  for (const name of Object.keys(expected)) {
    expectEqual(name, comparable(name, detail), comparable(name, expected), updated);
  }
  await sandbox.effects.shown(
    () => readReview(sandbox, review),
    ({ entry }) => {
      for (const name of Object.keys(expected)) {
        const wanted = comparable(name, expected);
        expectEqual(`in the inbox, ${name}`, comparable(name, entry), wanted, updated);
      }
    },
  );
}

function isEmptying(change: Entry): boolean {
  return Object.values(change).some(
    (value) => value === '' || (Array.isArray(value) && value.length === 0),
  );
}

type Neighbors = Readonly<Record<string, unknown>>;

/** The other requests of the inbox, in a world of its own: elsewhere others change them. */
async function neighborsOf(sandbox: CheckContext, review: string): Promise<Neighbors> {
  if (!sandbox.disposable) return {};
  const query = { limit: 100, offset: 0 };
  const response = await sandbox.api.send({ path: INBOX.path, query });
  assumeSuccess(response);
  const others = readPage(INBOX, response).entries.filter(({ id }) => id !== review);
  return Object.fromEntries(
    others.map((entry) => [
      String(entry['id']),
      Object.fromEntries(UPDATABLE.map((name) => [name, comparable(name, entry)])),
    ]),
  );
}

/** Throws a violation unless an update left every other request as it was. One may come meanwhile. */
async function expectNeighbors(
  sandbox: CheckContext,
  review: string,
  before: Neighbors,
  updated: ApiResponse,
): Promise<void> {
  const after = Object.entries(await neighborsOf(sandbox, review));
  const still = Object.fromEntries(after.filter(([id]) => Object.hasOwn(before, id)));
  const found = firstDifference(before, still, 'inbox');
  if (found === null) return;
  throw violation(
    `no effect on another request: ${found.path} is still ${show(found.before)}`,
    `${found.path} is ${show(found.after)}`,
    updated,
  );
}

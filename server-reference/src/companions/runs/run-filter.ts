import { tagOf } from '../../api/automations/versions.ts';
import { sampleRank, versionOf } from '../../api/runs/present-run.ts';
import { invalidValue } from '../../errors.ts';
import type { AutomationId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReviewRecord, RunRecord } from '../../store/runs.ts';
import type { ReadonlyState } from '../../store/state.ts';
import { readTime } from './read-time.ts';

/** The query parameters that select runs. */
export interface RunQuery {
  readonly type?: string;
  readonly status?: string;
  readonly trigger?: string;
  readonly sourceRef?: string;
  readonly triggeredBy?: string;
  readonly ids?: string;
  readonly batchId?: string;
  readonly exampleId?: string;
  readonly exampleIdContains?: string;
  readonly experiments?: string;
  readonly from?: string;
  readonly to?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly completedAfter?: string;
  readonly completedBefore?: string;
  readonly sampleRate?: string;
  readonly reviewStatus?: string;
  readonly reviewVerdict?: string;
  readonly hasReview?: string;
  readonly noReview?: string;
  readonly hasCorrections?: string;
  readonly reviewNoteContains?: string;
  readonly reviewCreatedAfter?: string;
  readonly reviewCreatedBefore?: string;
  readonly reviewUpdatedAfter?: string;
  readonly reviewUpdatedBefore?: string;
  readonly reviewClosedAfter?: string;
  readonly reviewClosedBefore?: string;
}

type Run = DeepReadonly<RunRecord>;
type Review = DeepReadonly<ReviewRecord>;

/** Returns whether a list has a run. */
type RunFilter = (run: Run) => boolean;

/** Stands for runs without a user in `triggeredBy`. */
const NO_USER = '__system__';

/**
 * Reads the filter of a list of runs.
 *
 * @param sources - the ids of automations whose runs are selected; null selects all
 * @param now - milliseconds since the epoch
 * @throws {ApiError} `invalid_value` for a time or number that is malformed
 */
export function readRunFilter(
  state: ReadonlyState,
  query: RunQuery,
  sources: ReadonlySet<AutomationId> | null,
  now: number,
): RunFilter {
  const rules = new Rules();
  addRunRules(rules, state, query, sources);
  addTimeRules(rules, state, query, now);
  addReviewRules(rules, state, query);
  return (run) => rules.tests.every((test) => test(run));
}

/** Collects tests. */
class Rules {
  readonly tests: ((run: Run) => boolean)[] = [];

  /** Adds a test unless its value is absent. */
  add<Value>(value: Value | undefined | null, test: (run: Run, value: Value) => boolean): void {
    if (value === undefined || value === null) return;
    this.tests.push((run) => test(run, value));
  }
}

function addRunRules(
  rules: Rules,
  state: ReadonlyState,
  query: RunQuery,
  sources: ReadonlySet<AutomationId> | null,
): void {
  rules.add(words(query.type), ({ type }, types) => types.has(type));
  rules.add(words(query.status), ({ status }, statuses) => statuses.has(status));
  rules.add(words(query.trigger), (run, types) => types.has(run.triggerType));
  rules.add(sources, ({ automationId }, ids) => ids.has(automationId));
  rules.add(query.sourceRef, (run, ref) => {
    const version = versionOf(run, state.automations.get(run.automationId));
    return version !== null && [...Object.values(version), tagOf(version.label)].includes(ref);
  });
  rules.add(words(query.triggeredBy), (run, users) => users.has(run.startedBy ?? NO_USER));
  rules.add(words(query.ids), ({ id }, ids) => ids.has(id));
  rules.add(query.batchId, (run, id) => run.evaluation?.experimentId === id);
  rules.add(query.exampleId, (run, id) => run.evaluation?.exampleId === id);
  rules.add(
    query.exampleIdContains,
    (run, part) => run.evaluation?.exampleId.includes(part) === true,
  );
  rules.add(
    query.experiments === 'false' ? false : null,
    (run) => (run.evaluation?.experimentId ?? null) === null,
  );
  rules.add(readRate(query.sampleRate), (run, rate) => sampleRank(run) < rate);
}

function addTimeRules(rules: Rules, state: ReadonlyState, query: RunQuery, now: number): void {
  const reviewOf = ({ id }: Run): Review | null => state.runReviews.get(id)?.review ?? null;
  const bounds: readonly [keyof RunQuery, keyof RunQuery, (run: Run) => string | null][] = [
    ['completedAfter', 'completedBefore', ({ completedAt }) => completedAt],
    ['reviewCreatedAfter', 'reviewCreatedBefore', (run) => reviewOf(run)?.createdAt ?? null],
    ['reviewUpdatedAfter', 'reviewUpdatedBefore', (run) => reviewOf(run)?.updatedAt ?? null],
    ['reviewClosedAfter', 'reviewClosedBefore', (run) => reviewOf(run)?.closedAt ?? null],
    ['from', 'to', ({ createdAt }) => createdAt],
    ['createdAfter', 'createdBefore', ({ createdAt }) => createdAt],
  ];
  for (const [after, before, timeOf] of bounds) {
    rules.add(bound(query, after, now), (run, from) => (timeOf(run) ?? '') >= from);
    rules.add(bound(query, before, now), (run, to) => {
      const time = timeOf(run);
      return time !== null && time <= to;
    });
  }
}

function bound(query: RunQuery, field: keyof RunQuery, now: number): string | undefined {
  const text = query[field];
  return text === undefined ? undefined : readTime(text, field, now);
}

function addReviewRules(rules: Rules, { runReviews }: ReadonlyState, query: RunQuery): void {
  const rule = <Value>(
    value: Value | undefined | null,
    test: (review: Review, value: Value) => boolean,
  ): void =>
    rules.add(value, ({ id }, given) => {
      const review = runReviews.get(id)?.review ?? null;
      return review !== null && test(review, given);
    });
  rule(words(query.reviewStatus), ({ status }, known) => known.has(status));
  rule(words(query.reviewVerdict), ({ verdict }, known) => known.has(verdict ?? ''));
  rule(flag(query.hasReview), () => true);
  rule(flag(query.hasCorrections), ({ corrections }) => corrections.length > 0);
  rule(query.reviewNoteContains?.toLowerCase(), ({ note }, part) =>
    note.toLowerCase().includes(part),
  );
  rules.add(flag(query.noReview), ({ id }) => (runReviews.get(id)?.review ?? null) === null);
}

/** Reads a list with commas. Blanks around a word are ignored. */
function words(list: string | undefined): ReadonlySet<string> | undefined {
  return list === undefined ? undefined : new Set(list.split(',').map((word) => word.trim()));
}

/** Reads a switch: true, or absent. */
function flag(text: string | undefined): true | undefined {
  return text === 'true' || text === '1' ? true : undefined;
}

function readRate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d*\.?\d+(e-\d+)?$/i.test(text) && Number(text) <= 1) return Number(text);
  throw invalidValue('sampleRate', 'must be a number from 0 to 1');
}

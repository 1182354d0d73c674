import { fixtureIn } from '../options/facts.ts';
import type { CheckReport } from './model.ts';
import { counted } from './wording.ts';

const FIXTURES = '--fixtures FILE';
/** More are counted. */
const MAX_IDS = 2;
const MAX_NAMES = 6;

/** Checks that could not run because one thing is missing. */
export interface Remedy {
  /** The flag or line to add. */
  readonly add: string;
  /** The checks that it lets run, as a number or as ids. */
  readonly lets: string;
  /** Why it is needed, or what belongs in it. */
  readonly details: readonly string[];
}

/**
 * What lets checks run that could not, the most useful first. A check counts once. All keys and ids are one thing,
 * because they belong in one file: a check counts for it only when it lacks nothing else.
 */
export function remediesOf(checks: readonly CheckReport[]): readonly Remedy[] {
  const groups = new Map<string, CheckReport[]>();
  for (const check of checks) {
    const { remedies: own = [] } = check;
    const [fallback] = own;
    if (fallback === undefined) continue;
    const flag = own.find((remedy) => fixtureIn(remedy) === null) ?? FIXTURES;
    groups.set(flag, [...(groups.get(flag) ?? []), check]);
  }
  return [...groups]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([add, group]) => ({
      add,
      lets: group.length > MAX_IDS ? checksText(group.length) : idsText(group),
      details: add === FIXTURES ? fixtureDetails(group) : reasonOf(group),
    }));
}

function checksText(count: number): string {
  return counted(count, 'check', 'checks');
}

function idsText(group: readonly CheckReport[]): string {
  return group.map(({ id }) => id).join(', ');
}

/** The message of a check that needs nothing else: that of another one would name its other lacks too. */
function reasonOf(group: readonly CheckReport[]): readonly string[] {
  const alone = group.find(({ remedies = [] }) => remedies.length === 1);
  return alone === undefined ? [] : [alone.message];
}

function fixtureDetails(group: readonly CheckReport[]): readonly string[] {
  const names = group.flatMap(({ remedies = [] }) =>
    remedies.flatMap((remedy) => fixtureIn(remedy) ?? []),
  );
  const counts = [...new Set(names)]
    .map((name) => ({ name, count: names.filter((other) => other === name).length }))
    .toSorted((one, other) => other.count - one.count);
  const shown = counts.slice(0, MAX_NAMES).map(({ name, count }) => `${name} (${count})`);
  const more = counts.length - shown.length;
  return [
    `with ${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`,
    '--init-fixtures FILE writes it: what the run found, and what is missing',
  ];
}

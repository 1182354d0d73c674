import { grouped } from '../grouped.ts';
import { KEY_NAMES } from '../options/facts.ts';
import { keyVariable } from '../redaction/redactor.ts';
import type { CheckReport } from './model.ts';

const FIXTURES = '--fixtures FILE';
/** Checks that refer to a failure are one thing: the failures say the rest. */
const OTHER_CHECKS = 'fix the failures that these checks refer to';
const HOW_TO_WRITE =
  '--init-fixtures fixtures.yaml writes this file with what the run found; fill in the rest';
/** More are counted. */
const MAX_NAMES = 6;

/** Checks that could not run because one thing is missing. */
export interface Lack {
  /** What to do: `add --key KEY`, `make api.response.auth-check pass`. */
  readonly add: string;
  /** The checks that it lets run. */
  readonly checks: readonly CheckReport[];
  /** Why it is needed, or what belongs in it. */
  readonly details: readonly string[];
}

/**
 * What lets checks run that could not, the most useful first. A check counts once. All keys and ids are one thing,
 * because they belong in one file: a check counts for it only when it lacks nothing else. `fixturesFile` is that file, when
 * the run wrote it.
 */
export function remediesOf(all: readonly CheckReport[], fixturesFile?: string): readonly Lack[] {
  const lacking = all.filter(({ remedies = [] }) => remedies.length > 0);
  const groups = grouped(lacking, ({ remedies = [] }) => {
    const other = remedies.find(({ inFixtures = false }) => !inFixtures);
    if (other === undefined) return FIXTURES;
    return other.check === undefined ? other.text : OTHER_CHECKS;
  });
  return [...groups]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([remedy, checks]) => {
      if (remedy === OTHER_CHECKS) return { add: remedy, checks, details: [reportsOf(checks)] };
      if (remedy !== FIXTURES)
        return { add: instruction(remedy), checks, details: reasonOf(checks) };
      const hint = fixturesFile === undefined ? [HOW_TO_WRITE] : [];
      const add = `add --fixtures ${fixturesFile ?? 'FILE'}`;
      return { add, checks, details: [fixtureNames(checks), ...keyHint(checks), ...hint] };
    });
}

/** A flag is added; anything else says itself what to do. */
function instruction(remedy: string): string {
  return remedy.startsWith('-') ? `add ${remedy}` : remedy;
}

/** The message of a check that needs nothing else: that of another one would name its other lacks too. */
function reasonOf(group: readonly CheckReport[]): readonly string[] {
  const alone = group.find(({ remedies = [] }) => remedies.length === 1);
  return alone === undefined ? [] : [alone.message];
}

/** A file with keys is no file to commit. */
function keyHint(group: readonly CheckReport[]): readonly string[] {
  const missing = new Set(
    group.flatMap(({ remedies = [] }) => remedies.flatMap(({ need }) => need ?? [])),
  );
  const variables = KEY_NAMES.filter((name) => missing.has(`keys.${name}`)).map(keyVariable);
  return variables.length === 0
    ? []
    : [`the environment can have the keys: ${variables.join(', ')}`];
}

function fixtureNames(group: readonly CheckReport[]): string {
  const names = group.flatMap(({ remedies = [] }) =>
    remedies.flatMap(({ inFixtures = false, need }) => (inFixtures ? (need ?? []) : [])),
  );
  const counts = [...new Set(names)]
    .map((name) => ({ name, count: names.filter((other) => other === name).length }))
    .toSorted((one, other) => other.count - one.count);
  return `with ${shortened(counts.map(({ name, count }) => `${name} (${count})`))}`;
}

function reportsOf(group: readonly CheckReport[]): string {
  const ids = new Set(
    group.flatMap(({ remedies = [] }) => remedies.flatMap(({ check }) => check ?? [])),
  );
  return shortened([...ids]);
}

function shortened(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

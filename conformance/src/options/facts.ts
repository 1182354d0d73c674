import { WORLD_FIXTURE_NAMES } from '@hookproof/spec/control';
import { closest, distance } from 'fastest-levenshtein';

/** The API keys of a run. `main` is used by most checks and is preferably a wildcard key. */
export const KEY_NAMES = ['main', 'reviewer', 'ocr', 'workflow', 'otherTenant'] as const;
export type KeyName = (typeof KEY_NAMES)[number];

/** The fixtures that no world has, each with its meaning: facts about a deployment, and what a run may change there. */
export const OWN_FIXTURES = {
  bodyLimitBytes:
    'Maximum size of a JSON request body in bytes, in decimal digits. With it, the suite sends a body that is one byte larger and expects 413.',
  workflowFolderPath:
    'Path of the folder of the workflow `workflowId`, or `/` for the root. With it, the suite moves the workflow without a control interface, and then back to this folder.',
  fillableRunId:
    'ID of a completed run with an output file of the name `outputFileName`. Without a control interface, the suite copies to its expected files, and the copies stay.',
  deletableInputPath:
    'Path of an input file of the example `exampleId`, relative to its input folder. Without a control interface, a run deletes it.',
  clearableRunId:
    'ID of a completed run with a review, corrections and corrected files. Without a control interface, a run clears them.',
} as const;
type OwnFixtureName = keyof typeof OWN_FIXTURES;

/** Every fixture name of `fixtures.json`; discovery fills in what it can. Each value is a non-empty string. */
export const FIXTURE_NAMES: readonly FixtureName[] = [
  ...WORLD_FIXTURE_NAMES,
  ...namesOf(OWN_FIXTURES),
];
export type FixtureName = (typeof WORLD_FIXTURE_NAMES)[number] | OwnFixtureName;

function namesOf<Name extends string>(values: Readonly<Record<Name, string>>): readonly Name[] {
  const names: Name[] = [];
  for (const name in values) names.push(name);
  return names;
}

/** A value known about the target, and where it came from. */
export interface Fact {
  readonly value: string;
  /** "fixtures.json", "control interface", "GET /v1/templates". */
  readonly source: string;
}

/** The keys and fixtures of a run. */
export interface Facts {
  readonly keys: Readonly<Partial<Record<KeyName, Fact>>>;
  readonly fixtures: Readonly<Partial<Record<FixtureName, Fact>>>;
}

/** Values as facts of one source; undefined values are omitted. */
export function factsFrom<Name extends string>(
  values: Readonly<Partial<Record<Name, string | undefined>>>,
  source: string,
): Partial<Record<Name, Fact>> {
  const known: Partial<Record<Name, Fact>> = {};
  for (const name in values) {
    const value = values[name];
    if (value !== undefined) known[name] = { value, source };
  }
  return known;
}

/** The parsed `fixtures.json`: ids by name, and `keys`. Throws `TypeError`, also for unknown names. */
export function fixturesFrom(given: object): {
  readonly fixtures: Partial<Record<FixtureName, string>>;
  readonly keys: Partial<Record<KeyName, string>>;
} {
  const entries = Object.entries(given);
  const keys: unknown = entries.find(([name]) => name === 'keys')?.[1] ?? {};
  const fixtures = Object.fromEntries(entries.filter(([name]) => name !== 'keys'));
  if (typeof keys !== 'object' || keys === null) {
    throw new TypeError(`fixtures.keys must be an object of keys by name, got ${String(keys)}.`);
  }
  return {
    fixtures: named('fixtures', FIXTURE_NAMES, fixtures),
    keys: named('fixtures.keys', KEY_NAMES, keys),
  };
}

/** The entries of `given`: every name is known, every value a non-empty string. Throws `TypeError`. */
export function named<Name extends string>(
  what: string,
  names: readonly Name[],
  given: object,
): Partial<Record<Name, string>> {
  const known: Partial<Record<Name, string>> = {};
  for (const [name, value] of Object.entries(given)) {
    const match = names.find((candidate) => candidate === name);
    if (match === undefined) {
      throw new TypeError(`Unknown ${what}.${name}${suggestion(name, names)}`);
    }
    if (typeof value !== 'string' || value === '') {
      throw new TypeError(`${what}.${name} must be a non-empty string.`);
    }
    known[match] = value;
  }
  return known;
}

/** The name that was probably meant; all of them if none is near. */
function suggestion(given: string, names: readonly string[]): string {
  const nearest = closest(given, names);
  return distance(given, nearest) <= given.length / 2
    ? `. Did you mean ${nearest}?`
    : `; expected one of ${names.join(', ')}.`;
}

import { WORLD_FIXTURE_NAMES } from '@hookproof/spec/control';

/** The API keys of a run. `main` is used by most checks and is preferably a wildcard key. */
export const KEY_NAMES = ['main', 'reviewer', 'ocr', 'workflow', 'otherTenant'] as const;
export type KeyName = (typeof KEY_NAMES)[number];

/**
 * Every fixture name of `fixtures.json`; discovery fills in what it can. Each value is a non-empty string. Only
 * `bodyLimitBytes` is not a fixture of a world.
 */
export const FIXTURE_NAMES: readonly FixtureName[] = [...WORLD_FIXTURE_NAMES, 'bodyLimitBytes'];
export type FixtureName = (typeof WORLD_FIXTURE_NAMES)[number] | 'bodyLimitBytes';

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

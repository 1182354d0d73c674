import { loadControl } from '@hookproof/spec/control';

import type { Check, Need } from '../check-kit/check.ts';
import { checks } from '../checks/catalogue.ts';
import { FIXTURE_NAMES, KEY_NAMES, OWN_FIXTURES } from '../options/facts.ts';
import type { FixtureName, KeyName } from '../options/facts.ts';
import type { Report } from '../report/model.ts';
import { counted } from '../report/wording.ts';
import type { Verdict } from '../verdict/verdict.ts';

/** The main key is given by `--key`. */
const GIVEN_KEYS = KEY_NAMES.filter((name) => name !== 'main');

const OWN_MEANINGS: Readonly<Record<string, string>> = OWN_FIXTURES;

/**
 * Returns a file for `--fixtures`, as YAML with comments: the ids that the run found, and every missing key and id with
 * its meaning and the number of checks that need it. It contains no key.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises';
 * import { fixturesFile, runConformance } from '@hookproof/conformance';
 *
 * export async function begin(baseUrl: string, key: string): Promise<void> {
 *   await writeFile('fixtures.yaml', fixturesFile(await runConformance({ baseUrl, key })));
 * }
 * ```
 */
export function fixturesFile({ facts, checks: results }: Report): string {
  const verdicts = new Map(results.map(({ id, verdict }) => [id, verdict]));
  const withVerdict = (wanted: Verdict): readonly Check[] =>
    checks.filter(({ id }) => verdicts.get(id) === wanted);
  const waiting = { open: withVerdict('could-not-run'), locked: withVerdict('locked') };
  return [
    '# Keys and ids for "hookproof check --fixtures". Take the # away before a line that you fill in.',
    '# A line that begins with # is not used. Every value is a text in quotes.',
    '',
    '# Do not commit this file when it contains a key.',
    'keys:',
    ...GIVEN_KEYS.flatMap((name) => [
      `  # ${meaningOf('WorldKeys', name)}${unlockedBy(`key.${name}`, waiting)}`,
      `  # ${name}: ""`,
    ]),
    '',
    '# Ids. Those that are missing are in the app of the deployment, or in its records.',
    ...FIXTURE_NAMES.flatMap((name) => {
      const fact = facts.find((known) => known.name === name);
      const meaning = meaningOf('WorldFixtures', name);
      if (fact !== undefined) {
        return [`# ${meaning} Found in ${fact.source}.`, `${name}: ${JSON.stringify(fact.value)}`];
      }
      return [`# ${meaning}${unlockedBy(name, waiting)}`, `# ${name}: ""`];
    }),
    '',
  ].join('\n');
}

/** How many checks that did not run need something, and the first of them. */
function unlockedBy(
  what: FixtureName | `key.${KeyName}`,
  { open, locked }: { readonly open: readonly Check[]; readonly locked: readonly Check[] },
): string {
  const needing = (all: readonly Check[]): readonly Check[] =>
    all.filter(({ needs }) => needs.some((need) => suppliedBy(need) === what));
  const [now, later] = [needing(open), needing(locked)];
  const [first] = [...now, ...later];
  if (first === undefined) return '';
  const flags = later.some(({ access }) => access === 'delete')
    ? '--allow-writes or --allow-deletes'
    : '--allow-writes';
  const all = counted(now.length + later.length, 'check', 'checks');
  const of = later.length === 0 ? '' : ` (${later.length} of them with ${flags})`;
  return ` Unlocks ${all}${of}, such as ${first.id}.`;
}

/** The member of the file that supplies a need: a key by the name of the need, an id by its own. */
function suppliedBy(need: Need): string {
  return need.replace(/^(?:fixture|world-or)\./, '');
}

/** The description of a member in the document of the control interface, on one line. */
function meaningOf(schema: 'WorldKeys' | 'WorldFixtures', name: string): string {
  const property = loadControl().components.schemas[schema]?.properties?.[name];
  const described = property === false ? undefined : property?.description;
  return (described ?? OWN_MEANINGS[name] ?? name).replace(/\s+/g, ' ').trim();
}

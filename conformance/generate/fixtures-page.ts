import { OWN_FIXTURES } from '@hookproof/conformance/hooks';
import type { ControlDocument } from '@hookproof/spec/control';

/** Members of `fixtures.json` that no world has. */
const KEYS_OF_RUN = { main: 'The same as `--key`, which takes precedence.' };

/** The text of `FIXTURES.md`: every member that `fixtures.json` may have. */
export function fixturesPage({ components }: ControlDocument): string {
  const { wildcard: _wildcard, revoked: _revoked, ...keys } = described(components, 'WorldKeys');
  const fixtures = described(components, 'WorldFixtures');
  return `<!-- Generated from spec/control.yaml by \`npm run generate\`. Do not edit. -->

# Members of fixtures.json

Every member is optional, and each value is a non-empty string. Unknown members are refused.

| key | meaning |
| --- | --- |
${rows({ ...KEYS_OF_RUN, ...keys }, 'keys.')}

| fixture | meaning |
| --- | --- |
${rows({ ...fixtures, ...OWN_FIXTURES })}
`;
}

function described(
  { schemas }: ControlDocument['components'],
  name: string,
): Record<string, string> {
  const properties = Object.entries(schemas[name]?.properties ?? {});
  return Object.fromEntries(
    properties.map(([key, schema]) => [key, (schema && schema.description) || '']),
  );
}

function rows(meanings: Readonly<Record<string, string>>, prefix = ''): string {
  return Object.entries(meanings)
    .map(([name, meaning]) => `| \`${prefix}${name}\` | ${meaning} |`)
    .join('\n');
}

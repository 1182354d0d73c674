import type { Check } from '@hookproof/conformance';
import type { Requirement } from '@hookproof/spec/requirements';

/** The text of `COVERAGE.md`: each requirement with the checks that test it, or why none does. */
export function coveragePage(
  requirements: readonly Requirement[],
  checks: readonly Check[],
): string {
  const checksOf = (id: string): readonly Check[] =>
    checks.filter(({ requirements: tested }) => tested.includes(id));
  const tested = requirements.filter(({ id }) => checksOf(id).length > 0);
  const rows = requirements.map(
    (row) => `| ${row.id} | ${row.keyword} | ${row.side} | ${evidenceOf(row, checksOf(row.id))} |`,
  );
  // Prettier would widen every row of the table to the widest.
  return `<!-- prettier-ignore-start -->
<!-- Generated from spec/requirements.yaml and conformance/src/checks by \`npm run generate\`. Do not edit. -->

# Requirements and checks

${requirements.length} requirements, ${tested.length} of them tested, by ${checks.length} checks.

| requirement | keyword | side | checks, or why there is none |
| --- | --- | --- | --- |
${rows.join('\n')}

<!-- prettier-ignore-end -->
`;
}

function evidenceOf(row: Requirement, checks: readonly Check[]): string {
  if (checks.length > 0) return checks.map(({ id }) => `\`${id}\``).join(' ');
  if (row.excluded !== undefined) return `excluded: ${row.excluded}`;
  if (row.open !== undefined) return `open: ${row.open}`;
  throw new Error(
    `Requirement ${row.id} must have a check or a reason, got neither. Name it in a check, or add \`excluded\` with the reason to its row in spec/requirements.yaml.`,
  );
}

import type { Check } from '@hookproof/conformance';
import type { Requirement } from '@hookproof/spec/requirements';

/** Each requirement with the checks that test it, or why none does. */
export function coverageTable(
  requirements: readonly Requirement[],
  checks: readonly Check[],
): string {
  const tested = requirements.filter((row) => row.checks !== undefined);
  const rows = requirements.map(
    (row) => `| ${row.id} | ${row.keyword} | ${row.side} | ${evidenceOf(row)} |`,
  );
  return `<!-- prettier-ignore-start -->
<!-- Generated from spec/requirements.yaml and the catalogue. After a change: npx vitest run test/conformance/catalogue.test.ts -u -->

# Requirements and checks

${requirements.length} requirements, ${tested.length} of them tested, by ${checks.length} checks.

| requirement | keyword | side | checks, or why there is none |
| --- | --- | --- | --- |
${rows.join('\n')}

<!-- prettier-ignore-end -->
`;
}

function evidenceOf(row: Requirement): string {
  if (row.checks !== undefined) return row.checks.map((id) => `\`${id}\``).join(' ');
  return row.excluded === undefined ? `open: ${row.open}` : `excluded: ${row.excluded}`;
}

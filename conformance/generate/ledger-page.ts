import type { Check } from '@hookproof/conformance';
import type { Defect, Variant } from '@hookproof/conformance/proof';
import type { Freedom } from '@hookproof/spec/requirements';

/** What the proof of the suite consists of. */
export interface ProofParts {
  readonly checks: readonly Check[];
  readonly defects: readonly Defect[];
  readonly variants: readonly Variant[];
  /** The checks that find each defect. */
  readonly ledger: Readonly<Record<string, readonly string[]>>;
  readonly freedoms: readonly Freedom[];
}

/** The text of `LEDGER.md`: each check with the defects that it finds, and each freedom with its variants. */
export function ledgerPage({ checks, defects, variants, ledger, freedoms }: ProofParts): string {
  const finds = checks.map(({ id }) => {
    const found = defects.filter((defect) => ledger[defect.id]?.includes(id));
    return `| ${id} | ${names(found)} |`;
  });
  const taken = freedoms.map(({ id }) => {
    return `| ${id} | ${names(variants.filter(({ takes }) => takes === id))} |`;
  });
  const permitted = variants.filter(({ takes }) => freedoms.every(({ id }) => id !== takes));
  const what = [...defects, ...variants].map(
    ({ id, side, does }) => `| ${id} | ${side} | ${does} |`,
  );
  // Prettier would widen every row of the tables to the widest.
  return `<!-- prettier-ignore-start -->
<!-- Generated from conformance/src/proof by \`npm run generate\`. Do not edit. -->

# The proof of the suite

${defects.length} defects that ${checks.length} checks find, and ${variants.length} variants that no check objects to. A defect is an implementation with exactly one mistake. A variant is an implementation that uses a freedom of the contract differently from the reference server. \`npm run ledger\` finds out which checks find which defects.

## Checks, and the defects that they find

| check | defects |
| --- | --- |
${finds.join('\n')}

## Freedoms, and the variants that use them

| freedom | variants |
| --- | --- |
${taken.join('\n')}
| permitted by a requirement | ${names(permitted)} |

## Defects and variants

| id | side | what the implementation does |
| --- | --- | --- |
${what.join('\n')}

<!-- prettier-ignore-end -->
`;
}

function names(list: readonly { readonly id: string }[]): string {
  return list.map(({ id }) => `\`${id}\``).join(' ');
}

import type { Freedom } from '@hookproof/spec/requirements';
import { format } from 'prettier';

import { freedomsJson } from './requirements.ts';
import type { Step } from './types/step.ts';

/** The page of the freedoms and of what the reference chose, from `freedoms.yaml`. */
export const freedomsPage: Step = {
  output: 'FREEDOMS.md',
  async render(specFolder) {
    const freedoms: readonly Freedom[] = JSON.parse(await freedomsJson.render(specFolder));
    return format(pageText(freedoms), { parser: 'markdown' });
  },
};

function pageText(freedoms: readonly Freedom[]): string {
  const clauses = [...new Set(freedoms.map(({ clause }) => clause))];
  const sections = clauses.map((clause) => {
    const rows = freedoms.filter((freedom) => freedom.clause === clause).map(row);
    return `## ${heading(clause)}

| open point | choice of the reference | other choices that conform |
| --- | --- | --- |
${rows.join('\n')}`;
  });
  return `<!-- Generated from spec/freedoms.yaml by \`npm run generate\`. Do not edit. -->

# Choices where the contract is silent

The contract leaves these points open. The reference is the reference server or, for receivers, the receiver
library. [\`freedoms.yaml\`](freedoms.yaml) also says what the conformance suite never asserts for this reason.

${sections.join('\n\n')}
`;
}

function row({ open, reference, variants }: Freedom): string {
  const cells = [open, reference, variants.join('; ')];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** A clause without its type of heading, such as \`GET /v1/files/{id}\` for "Endpoints > GET /v1/files/{id}". */
function heading(clause: string): string {
  const [, title = clause] = /^Endpoints > (.+)$/.exec(clause) ?? [];
  return title === clause ? clause : `\`${title.replaceAll('`', '')}\``;
}

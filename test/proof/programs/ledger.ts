// Runs every defect with the checks of the requirement that it breaks, and writes which of them find it.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { checks } from '@hookproof/conformance';
import { defects } from '@hookproof/conformance/proof';
import { format, resolveConfig } from 'prettier';

import { ROOT } from '../../compiled-program.ts';
import { openJudges } from '../judges.ts';
import { findersOf, objectionsToDefect } from '../verdicts.ts';

const judges = openJudges(availableParallelism() + 1);
let done = 0;
const found = await Promise.all(
  defects.map(async (defect) => {
    const only = checks.flatMap(({ id, side, requirements }) =>
      side === defect.side && requirements.includes(defect.breaks) ? [id] : [],
    );
    const judged = await judges.judge({ side: defect.side, ids: [defect.id], only });
    done += 1;
    for (const objection of objectionsToDefect(defect, judged)) {
      process.exitCode = 1;
      process.stdout.write(`${defect.id}: ${objection}\n`);
    }
    if (done % 20 === 0) process.stderr.write(`${done} of ${defects.length}\n`);
    return [defect.id, findersOf(judged)] as const;
  }),
);
await judges.close();
const ledger = Object.fromEntries(found.toSorted(([one], [other]) => (one < other ? -1 : 1)));
const text = `// Written by \`npm run ledger\`. Do not edit.

/**
 * The checks that find each defect: ids of checks by id of defect.
 *
 * @example
 * \`\`\`ts
 * import { LEDGER } from '@hookproof/conformance/proof';
 *
 * console.log(LEDGER['retry-after-202']);
 * \`\`\`
 */
export const LEDGER: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(ledger)};
`;
const file = join(ROOT, 'conformance/src/proof/generated/ledger.ts');
writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));

// Runs every variant alone, and seeded mixtures of all, and prints what the suite objects to.
import { availableParallelism } from 'node:os';
import { variants } from '@hookproof/conformance/proof';
import { Command } from 'commander';

import { openJudges } from '../judges.ts';
import { mixturesOf } from '../mixtures.ts';
import { objectionsToVariants } from '../verdicts.ts';

const options = new Command('variants')
  .option('--mixtures <number>', 'number of mixtures of each side', Number, 0)
  .option('--side <side>', 'only this side')
  .parse()
  .opts<{ mixtures: number; side?: string }>();
const chosen = variants.filter(({ side }) => options.side === undefined || side === options.side);
const alone = chosen.map((one) => ({ name: one.id, side: one.side, variants: [one], seed: 1 }));
const together = (['api', 'sender', 'receiver'] as const).flatMap((side) =>
  mixturesOf(side, chosen, options.mixtures),
);

const judges = openJudges(availableParallelism() + 1);
await Promise.all(
  (options.mixtures > 0 ? together : alone)
    .filter((one) => one.variants.length > 0)
    .map(async ({ name, side, variants: parts, seed }) => {
      const judged = await judges.judge({ side, ids: parts.map(({ id }) => id), seed });
      for (const objection of objectionsToVariants(parts, judged)) {
        process.exitCode = 1;
        process.stdout.write(`${name} (${parts.map(({ id }) => id).join(' ')}): ${objection}\n`);
      }
    }),
);
await judges.close();

// Runs defects and variants of the catalogue by hand, and prints every verdict that is not a pass.
import { checks } from '@hookproof/conformance';
import { defects } from '@hookproof/conformance/proof';
import { isDefect } from '@hookproof/conformance/proof/kit/defect';
import { Command } from 'commander';

import { variants } from '../variants/catalogue.ts';
import { runOrder } from '../run-order.ts';

const requirements = new Map(checks.map((check) => [check.id, check.requirements]));
const program = new Command('defect')
  .description('Runs defects and variants of the proof, each alone, with every check of its side.')
  .argument(
    '<pattern...>',
    'ids or prefixes of ids; "none-api", "none-sender" or "none-receiver" for the target itself',
  )
  .option('--together', 'run all of them as one implementation')
  .parse();
const patterns = program.args;
const all = [...defects, ...variants];
const chosen = all.filter(({ id }) => patterns.some((pattern) => id.startsWith(pattern)));

for (const side of ['api', 'sender', 'receiver'] as const) {
  const ofSide = chosen.filter((one) => one.side === side);
  if (patterns.includes(`none-${side}`)) await show(`${side} itself`, side, []);
  if (program.opts<{ together?: true }>().together === true && ofSide.length > 0) {
    await show('all together', side, ofSide);
  } else {
    for (const one of ofSide) {
      const what = isDefect(one) ? `breaks ${one.breaks}` : `takes ${one.takes}`;
      await show(`${one.id} (${what}): ${one.does}`, side, [one]);
    }
  }
}

async function show(
  title: string,
  side: 'api' | 'sender' | 'receiver',
  ones: typeof all,
): Promise<void> {
  const started = performance.now();
  const judged = await runOrder({ side, ids: ones.map(({ id }) => id) });
  const others = judged.checks.filter(({ verdict }) => verdict !== 'pass');
  process.stdout.write(
    `${title}\n  ${judged.outcome}, ${Math.round(performance.now() - started)} ms\n`,
  );
  for (const error of judged.suiteErrors) process.stdout.write(`  suite error: ${error}\n`);
  for (const { id, verdict, message } of others) {
    const isPredicted = ones.some(
      (one) => isDefect(one) && requirements.get(id)?.includes(one.breaks),
    );
    process.stdout.write(`  ${isPredicted ? '*' : ' '} ${verdict} ${id}: ${message ?? ''}\n`);
  }
}

// Prints how many files of the project one warm call visits, beside its bar.
import { Command } from 'commander';

import { listRequest, reviewChange } from './api.ts';
import { readingCheck } from './check.ts';
import { Coverage } from './coverage.ts';
import type { VisitedFile } from './coverage.ts';
import { delivery } from './delivery.ts';
import { receive, verifyDelivery } from './receiver.ts';
import { wholeRun } from './run.ts';
import { table } from './table.ts';
import type { Result } from './table.ts';

interface Call {
  readonly name: string;
  readonly what: string;
  readonly bar: number;
  readonly measure: (coverage: Coverage) => Promise<VisitedFile[]>;
}

const CALLS: readonly Call[] = [
  { name: 'list', what: 'GET of a list', bar: 21, measure: listRequest },
  { name: 'patch', what: 'PATCH of a review', bar: 22, measure: reviewChange },
  { name: 'delivery', what: 'a delivery in the sender', bar: 15, measure: delivery },
  { name: 'receive', what: 'a receive until its 2xx', bar: 26, measure: receive },
  { name: 'verify', what: 'verify()', bar: 9, measure: verifyDelivery },
  { name: 'check', what: 'one reading check of the suite', bar: 22, measure: readingCheck },
  { name: 'run', what: 'a run with that check alone', bar: 34, measure: wholeRun },
];

const program = new Command('visited')
  .description(
    'Prints how many files one warm call visits. Measured by the coverage that V8 counts.',
  )
  .argument(
    '[call...]',
    `calls to measure: ${CALLS.map(({ name }) => name).join(', ')} (default: all)`,
  )
  .option('--verbose', 'print the names of the files and how many functions of each were called')
  .option('--json', 'print JSON instead of a table')
  .parse();
const { verbose, json } = program.opts<{ verbose?: true; json?: true }>();
const unknown = program.args.filter((arg) => !CALLS.some(({ name }) => name === arg));
if (unknown.length > 0) {
  const names = CALLS.map(({ name }) => name).join(', ');
  program.error(`Unknown call "${unknown.join('", "')}"; expected one of ${names}.`, {
    exitCode: 2,
  });
}

const coverage = new Coverage();
const results: Result[] = [];
for (const { measure, ...call } of CALLS) {
  if (program.args.length > 0 && !program.args.includes(call.name)) continue;
  results.push({ ...call, files: await measure(coverage) });
}

process.stdout.write(json ? `${JSON.stringify(results)}\n` : table(results, verbose === true));

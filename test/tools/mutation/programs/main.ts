// Measures how many mutants of the pure decisions their unit tests kill, and compares the survivors with the list.
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Stryker } from '@stryker-mutator/core';
import type { MutantResult } from '@stryker-mutator/api/core';
import { Command } from 'commander';

import { GROUPS } from './groups.ts';
import type { Group } from './groups.ts';
import { isSame, listedSurvivors, survivorsOf } from './survivors.ts';

/** Per cent of the mutants, in each group. */
const BAR = 90;
const KILLED = new Set(['Killed', 'Timeout', 'RuntimeError']);
const NAMES = GROUPS.map(({ name }) => name).join(', ');

const program = new Command('mutation')
  .description(
    'Measures the mutation score of the pure decisions. Survivors must be in test/tools/mutation/survivors.json.',
  )
  .argument('[group...]', `groups to measure: ${NAMES} (default: all)`)
  .addHelpText(
    'after',
    `\nExit codes: 0 every group has ${BAR} % and no survivor is unlisted, 1 otherwise, 2 usage.`,
  )
  .parse();
const unknown = program.args.find((name) => !GROUPS.some((group) => group.name === name));
if (unknown !== undefined) {
  program.error(`Unknown group "${unknown}"; expected one of ${NAMES}.`, { exitCode: 2 });
}

const listed = listedSurvivors();
let isGood = true;
for (const group of GROUPS) {
  if (program.args.length > 0 && !program.args.includes(group.name)) continue;
  const results = await mutate(group);
  const killed = results.filter(({ status }) => KILLED.has(status)).length;
  const score = (100 * killed) / results.length;
  print(
    `${group.name}: ${killed} of ${results.length} mutants killed (${score.toFixed(1)} %, bar ${BAR} %)`,
  );
  const survivors = survivorsOf(results);
  const unlisted = survivors.filter((one) => !listed.some((other) => isSame(one, other)));
  const files = new Set(results.map(({ fileName }) => fileName));
  const stale = listed.filter(
    (one) =>
      [...files].some((name) => name.endsWith(one.file)) &&
      !survivors.some((other) => isSame(one, other)),
  );
  for (const one of unlisted) print(`  unlisted survivor: ${JSON.stringify(one)}`);
  for (const one of stale) print(`  listed, but killed: ${JSON.stringify(one)}`);
  if (score < BAR || unlisted.length > 0 || stale.length > 0) isGood = false;
}
process.exitCode = isGood ? 0 : 1;

async function mutate({ sources, tests }: Group): Promise<MutantResult[]> {
  process.env['MUTATION_TESTS'] = JSON.stringify(tests);
  const stryker = new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/tools/mutation/vitest.config.ts', related: false },
    mutate: [...sources],
    ignorePatterns: ['**/dist', '/test/tools/bench', '/test/mutants'],
    // Only an endless loop takes as long, also on a busy machine: a timeout counts as killed.
    timeoutMS: 15_000,
    timeoutFactor: 3,
    reporters: [],
    logLevel: 'error',
    // Outside the project, whose tests read every file below its root.
    tempDirName: join(tmpdir(), 'hookproof-mutation'),
    // Stryker rewrites the configuration with an interface that TypeScript 7 does not have.
    tsconfigFile: 'none',
  } as ConstructorParameters<typeof Stryker>[0]);
  return stryker.runMutationTest();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

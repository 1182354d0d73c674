// Runs defects of the suite's proof, one or all, without the test runner.
import { availableParallelism } from 'node:os';

import { checks } from '@hookproof/conformance';
import { Command } from 'commander';

import { DEFECTS, description, differences } from '../find-defect.ts';
import type { Defect } from '../find-defect.ts';
import type { Inspector } from '../inspector.ts';
import { judge } from '../judge.ts';
import { standingProcess } from '../standing-process.ts';
import { shareOut } from '../turns.ts';

const program = new Command('defect')
  .description(
    "Runs defects of the suite's proof: deliberately wrong builds (mutants) and permitted ones (variants).",
  )
  .argument('[id...]', 'mutants or variants to run with every check')
  .option('--list', 'print the id and the sentence of every mutant and variant')
  .option(
    '--check <id...>',
    'run only these checks, alone, on every mutant and variant, and print what the predictions do not say',
  )
  .addHelpText(
    'after',
    `
Examples:
  npm run defect retry-after-400
  npm run defect -- --check api.inbox.limit-0
  npm run defect -- --list | grep retry

Exit codes: 0 as predicted, 1 differs from the prediction, 2 usage.`,
  )
  .parse();
const options = program.opts<{ list?: true; check?: string[] }>();

if (options.list === true) {
  for (const one of DEFECTS) print(`${one.patch.id}  ${description(one)}`);
} else if (options.check !== undefined) {
  process.exitCode = await runChecks(options.check);
} else if (program.args.length > 0) {
  process.exitCode = await runDefects(program.args.map(defectOf));
} else {
  usage('Defect id must be given, got none. Run npm run defect -- --list for all ids.');
}

/** Runs each defect with every check and prints the actual and the predicted failures. */
async function runDefects(defects: readonly Defect[]): Promise<number> {
  const inspector = standingProcess();
  let count = 0;
  for (const defect of defects) {
    const { id, file, find, replace } = defect.patch;
    print(`${id}: ${description(defect)}`);
    print(`  ${defect.kind} of ${file}`);
    for (const line of find.split('\n')) print(`  - ${line}`);
    for (const line of replace.split('\n')) print(`  + ${line}`);
    const { outcome, fails, verdicts } = await judge(inspector, defect.room, defect.patch);
    const predicted = defect.kind === 'mutant' ? defect.patch.fails : [];
    print(`  predicted failures: ${predicted.toSorted().join(', ') || 'none'}`);
    print(`  failures: ${fails.join(', ') || 'none'}`);
    const lines = differences(defect, verdicts);
    for (const line of lines) print(`  differs: ${line}`);
    print(`  ${lines.length === 0 ? 'as predicted' : 'not as predicted'}, outcome ${outcome}`);
    if (lines.length > 0) count += 1;
  }
  await inspector.close();
  return count === 0 ? 0 : 1;
}

/** Runs some checks on every build and prints the builds with a wrong prediction. */
async function runChecks(ids: readonly string[]): Promise<number> {
  const sides = new Set(ids.map((id) => sideOf(id)));
  const rooms = new Set(
    [...sides].map((side) => (side === 'receiver' ? side : 'server-reference')),
  );
  const defects = DEFECTS.filter(({ room }) => rooms.has(room));
  const inspectors = Array.from({ length: availableParallelism() + 1 }, standingProcess);
  const inTurn = shareOut(inspectors);
  const progress = showProgress(defects.length);
  const results = await Promise.all(
    defects.map((defect) =>
      inTurn(async (inspector) => {
        const only = ids.filter(
          (id) => (sideOf(id) === 'receiver') === (defect.room === 'receiver'),
        );
        const lines = await differing(inspector, defect, only);
        progress.clear();
        for (const line of lines) print(`${defect.patch.id}: ${line}`);
        progress.next();
        return lines.length > 0;
      }),
    ),
  );
  await Promise.all(inspectors.map((inspector) => inspector.close()));
  const count = results.filter(Boolean).length;
  progress.clear();
  print(`${defects.length} builds run, ${count} not as predicted`);
  return count === 0 ? 0 : 1;
}

interface Progress {
  /** Counts one build more and shows the count. */
  next(): void;
  /** Empties the line of the count, so that another line can be printed. */
  clear(): void;
}

/** Shows the count of builds on standard error: in one line of a terminal, or every 50 builds. */
function showProgress(total: number): Progress {
  const { stderr } = process;
  let done = 0;
  return {
    next() {
      done += 1;
      const count = `${done} of ${total} builds run`;
      if (stderr.isTTY) stderr.write(`\r${count}`);
      else if (done % 50 === 0) stderr.write(`${count}\n`);
    },
    clear() {
      if (stderr.isTTY) stderr.write('\r\x1b[K');
    },
  };
}

/** A build that cannot be judged also differs, for example if its patch no longer applies. */
async function differing(
  inspector: Inspector,
  defect: Defect,
  only: readonly string[],
): Promise<readonly string[]> {
  try {
    const { verdicts } = await judge(inspector, defect.room, defect.patch, only);
    return differences(defect, verdicts);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function sideOf(id: string): string {
  const check = checks.find((one) => one.id === id);
  if (check !== undefined) return check.side;
  const near = checks.filter((one) => one.id.includes(id)).map((one) => one.id);
  return usage(`Unknown check "${id}"; ${suggestion(near)}`);
}

function defectOf(id: string): Defect {
  const defect = DEFECTS.find(({ patch }) => patch.id === id);
  if (defect !== undefined) return defect;
  const near = DEFECTS.map(({ patch }) => patch.id).filter((one) => one.includes(id));
  return usage(`Unknown defect "${id}"; ${suggestion(near)}`);
}

function suggestion(near: readonly string[]): string {
  return near.length === 0
    ? 'run npm run defect -- --list, or see conformance/COVERAGE.md for checks.'
    : `expected one of ${near.join(', ')}.`;
}

function usage(message: string): never {
  return program.error(message, { exitCode: 2 });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

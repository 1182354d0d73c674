import { Option } from 'commander';
import type { Command } from 'commander';

import { integer } from '../../../command-line/arguments.ts';
import { UsageError } from '../../../command-line/errors.ts';

/** The options of a run with many targets. */
export interface TargetsOptions {
  readonly targets?: string;
  readonly workers?: number;
  /** In seconds. */
  readonly targetTimeout?: number;
}

/** Options that a file of targets has for each of them, or that need one target. */
const OF_ONE_TARGET: ReadonlySet<string> = new Set([
  'baseUrl',
  'receiver',
  'baseline',
  'updateBaseline',
  'reason',
  'owner',
  'watch',
  'ask',
  'initFixtures',
]);

export function targetsOptions(): Option[] {
  return [
    new Option('--targets <file>', 'YAML file with many targets; each has the options of check'),
    new Option(
      '--workers <number>',
      'judge this many targets at the same time (default: 4)',
    ).argParser(integer(1, 64)),
    new Option(
      '--target-timeout <seconds>',
      'end the run of a target after this time (default: 1800)',
    ).argParser(integer(1, 86_400)),
  ];
}

/** Throws a usage error when options for one target are given together with a file of targets. */
export function requireManyTargets(command: Command): void {
  const given = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
  const other = command.options.find(
    (option) => OF_ONE_TARGET.has(option.attributeName()) && given(option.attributeName()),
  );
  if (other === undefined) return;
  throw new UsageError(
    `--targets cannot be used with ${other.long}, got both. Move it into the file, or leave --targets out.`,
  );
}

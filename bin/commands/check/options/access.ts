import type { ConformanceOptions } from '@hookproof/conformance';
import { InvalidArgumentError, Option } from 'commander';

import { list } from '../../../command-line/arguments.ts';

/** The options that decide which checks run and what they may do. */
export interface AccessOptions {
  readonly allowWrites?: true;
  readonly allowDeletes?: true;
  readonly only?: readonly string[];
  readonly fuzz?: ConformanceOptions['fuzz'];
  readonly cleanUp?: true;
  readonly prove?: true;
}

const MAX_SECONDS = 86_400;
/** A proof is many runs: no person performs its steps, and no report is that of the target. */
const NOT_PROVEN = [
  'stepCommand',
  'ask',
  'fuzz',
  'cleanUp',
  'list',
  'initFixtures',
  'report',
  'compare',
  'baseline',
  'updateBaseline',
];

export function accessOptions(): Option[] {
  return [
    new Option('--allow-writes', 'allow checks that create and change; else they read'),
    new Option('--allow-deletes', 'allow checks that delete'),
    new Option('--only <ids>', 'ids of checks or their beginnings; -ID leaves out').argParser(list),
    new Option('--fuzz <seconds>', 'also send generated requests; 60,7 has the seed 7').argParser(
      secondsAndSeed,
    ),
    new Option('--clean-up', 'undo what a killed run changed, and end'),
    new Option('--prove', 'show which passes could have failed').conflicts(NOT_PROVEN),
  ];
}

export function accessSettings({
  allowWrites,
  allowDeletes,
  only: ids,
  fuzz,
}: AccessOptions): ConformanceOptions {
  const only = ids?.filter((id) => !id.startsWith('-'));
  const skip = ids?.filter((id) => id.startsWith('-')).map((id) => id.slice(1));
  return {
    allowWrites: allowWrites === true,
    allowDeletes: allowDeletes === true,
    ...(only === undefined || only.length === 0 ? {} : { only }),
    ...(skip === undefined || skip.length === 0 ? {} : { skip }),
    ...(fuzz === undefined ? {} : { fuzz }),
  };
}

/** Parses `60`, and `60,7` with the seed 7. The default of the seed is 1. */
function secondsAndSeed(text: string): { readonly seconds: number; readonly seed: number } {
  const [, seconds = 0, seed = 1] = (/^(\d{1,5})(?:,(\d{1,15}))?$/.exec(text) ?? [])
    .filter((part) => part !== undefined)
    .map(Number);
  if (seconds < 1 || seconds > MAX_SECONDS) {
    throw new InvalidArgumentError(
      `Expected seconds from 1 to ${MAX_SECONDS}, such as 60, or 60,7 with the seed 7.`,
    );
  }
  return { seconds, seed };
}

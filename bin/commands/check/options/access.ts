import type { ConformanceOptions } from '@hookproof/conformance';
import { InvalidArgumentError, Option } from 'commander';

import { integer, list } from '../../../command-line/arguments.ts';
import { UsageError } from '../../../command-line/errors.ts';

type RequiredPart = NonNullable<ConformanceOptions['require']>[number];

const PARTS: readonly RequiredPart[] = ['reads', 'writes', 'sender', 'receiver'];

/** The options that decide which checks run and what they may do. */
export interface AccessOptions {
  readonly allowWrites?: true;
  readonly allowDeletes?: true;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly require?: ConformanceOptions['require'];
  readonly fuzz?: number;
  readonly seed?: number;
  readonly journal?: string;
  readonly cleanUp?: true;
}

const MAX_SECONDS = 86_400;

export function accessOptions(): Option[] {
  return [
    new Option(
      '--allow-writes',
      'allow checks that create and change resources (default: reads only)',
    ),
    new Option('--allow-deletes', 'allow checks that delete resources'),
    new Option('--only <ids>', 'run only these checks, by id or prefix (default: all)').argParser(
      list,
    ),
    new Option(
      '--journal <folder>',
      'folder in which a run notes how its changes are undone (default: in the folder for state of the user)',
    ).env('HOOKPROOF_JOURNAL'),
    new Option(
      '--clean-up',
      'undo what a killed run changed, then end; give the options of that run again',
    ),
    new Option('--skip <ids>', 'leave out these checks, by id or prefix').argParser(list),
    new Option(
      '--require <parts>',
      'exit with 3 unless these parts ran: reads, writes, sender, receiver',
    ).argParser(requiredParts),
    new Option(
      '--fuzz <seconds>',
      'also send generated requests for this time, reads only unless unlocked (default: none)',
    ).argParser(integer(1, MAX_SECONDS)),
    new Option('--seed <number>', 'seed of the generated requests (default: 1)').argParser(
      integer(0, Number.MAX_SAFE_INTEGER),
    ),
  ];
}

export function accessSettings({
  allowWrites,
  allowDeletes,
  only,
  skip,
  require,
  fuzz,
  seed,
}: AccessOptions): ConformanceOptions {
  if (seed !== undefined && fuzz === undefined) {
    throw new UsageError('--seed needs --fuzz, got none. Add --fuzz with a number of seconds.');
  }
  return {
    allowWrites: allowWrites === true,
    allowDeletes: allowDeletes === true,
    ...(only === undefined ? {} : { only }),
    ...(skip === undefined ? {} : { skip }),
    ...(require === undefined ? {} : { require }),
    ...(fuzz === undefined ? {} : { fuzz: { seconds: fuzz, seed: seed ?? 1 } }),
  };
}

function requiredParts(text: string, before: readonly RequiredPart[] = []): RequiredPart[] {
  const parts = list(text).map((name) => {
    const part = PARTS.find((known) => known === name);
    if (part === undefined)
      throw new InvalidArgumentError(`Expected parts of ${PARTS.join(', ')}.`);
    return part;
  });
  return [...before, ...parts];
}

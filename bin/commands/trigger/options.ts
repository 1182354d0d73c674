import { Option } from 'commander';

import { integer, targetUrl } from '../../command-line/arguments.ts';
import { expected } from './expectation.ts';
import { parseSet } from './set-value.ts';
import type { SetValue } from './set-value.ts';

/** The options of `hookproof trigger` after parsing. */
export interface TriggerOptions {
  readonly list?: true;
  readonly to?: string;
  readonly secret?: string;
  readonly set?: readonly SetValue[];
  readonly data?: string;
  readonly from?: string;
  readonly print?: true;
  readonly times: number;
  readonly seed?: number;
  readonly expect?: string;
  readonly json?: true;
}

function addSet(text: string, before: readonly SetValue[] = []): SetValue[] {
  return [...before, parseSet(text)];
}

/** Returns the options of `hookproof trigger`, in the order of its help. */
export function triggerOptions(): Option[] {
  return [
    new Option('--list', 'list all scenarios, with the response that each expects'),
    new Option(
      '--to <url>',
      'sign and send to this URL, with the retries of the platform (default: through the running server)',
    ).argParser(targetUrl),
    // Parsed when it is needed: without --to, the variable can have any value.
    new Option('--secret <secret>', 'secret of the endpoint, for --to').env('WEBHOOK_SECRET'),
    new Option(
      '--set <path=value>',
      'set a value of the payload, such as data.run.output.total=4711; repeatable',
    ).argParser(addSet),
    new Option(
      '--data <file>',
      'send the JSON payload in this file, or one with its data',
    ).conflicts('from'),
    new Option(
      '--from <folder>',
      'send a delivery that hookproof listen --save wrote, with a new signature',
    ),
    new Option('--print', 'print the payloads, and send nothing'),
    new Option('--times <number>', 'send the scenario this number of times')
      .default(1)
      .argParser(integer(1, 10_000)),
    new Option(
      '--seed <number>',
      'the same number gives the same bytes (default: new ids and the current time)',
    ).argParser(integer(0, 4_294_967_295)),
    new Option(
      '--expect <status>',
      'end with 1 unless the app responds this: 2xx, 401 and the like (default: see --list)',
    ).argParser(expected),
    new Option('--json', 'print a line of JSON for each attempt, and one for the result'),
  ];
}

import { Option } from 'commander';

import { integer, targetUrl } from '../../command-line/arguments.ts';
import { expected } from './expectation.ts';

/** The options of `hookproof trigger` after parsing. */
export interface TriggerOptions {
  readonly list?: true;
  readonly to?: string;
  readonly secret?: string;
  readonly payload?: string;
  readonly from?: string;
  readonly print?: true;
  readonly times: number;
  readonly seed?: number;
  readonly expect?: string;
  readonly json?: true;
}

/** Returns the options of `hookproof trigger`, in the order of its help. */
export function triggerOptions(): Option[] {
  return [
    new Option('--list', 'list all scenarios, with the response that each expects'),
    new Option('--to <url>', 'sign and send to this URL, without a server').argParser(targetUrl),
    // Parsed when it is needed: without --to, the variable can have any value.
    new Option('--secret <secret>', 'secret of the endpoint of --to, or WEBHOOK_SECRET').env(
      'WEBHOOK_SECRET',
    ),
    new Option(
      '--payload <file>',
      'send the payload in this JSON file, or one with its data',
    ).conflicts('from'),
    new Option('--from <folder>', 'send a delivery that hookproof listen --save wrote'),
    new Option('--print', 'print the payloads, and send nothing'),
    new Option('--times <number>', 'how often (default: 1)')
      .default(1)
      .argParser(integer(1, 10_000)),
    new Option('--seed <number>', 'the same number gives the same bytes').argParser(
      integer(0, 4_294_967_295),
    ),
    new Option('--expect <status>', 'end with 1 unless the app responds this: 2xx, 401').argParser(
      expected,
    ),
    new Option('--json', 'print a line of JSON for each attempt and the result'),
  ];
}

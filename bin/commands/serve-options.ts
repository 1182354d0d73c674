import type { RetryProfileName } from '@hookproof/server-reference';
import { Option } from 'commander';

import { integer, rate, utcTime } from '../command-line/arguments.ts';
import type { Rate } from '../command-line/arguments.ts';

/** The options of `hookproof serve` after parsing. */
export interface ServeOptions {
  readonly port: number;
  readonly appPort?: number;
  readonly data?: string;
  readonly memory?: true;
  readonly seed: number;
  readonly clock: 'real' | 'virtual';
  readonly now?: number;
  readonly retryProfile: RetryProfileName;
  readonly rateLimit?: Rate;
  readonly bodyLimit?: number;
  readonly uploadLimit?: number;
  readonly redirectAbove?: number;
  readonly signedUrlSeconds?: number;
  readonly json?: true;
}

/** The largest number that {@link integer} parses. */
const MAX_BYTES = 999_999_999_999_999;

const port = integer(0, 65_535);
const bytes = integer(0, MAX_BYTES);

/** Returns the options of `hookproof serve`, in the order of its help. */
export function serveOptions(): Option[] {
  return [...addressOptions(), ...stateOptions(), ...limitOptions()];
}

function addressOptions(): Option[] {
  return [
    new Option('--port <number>', 'port on 127.0.0.1; 0 picks a free one')
      .env('HOOKPROOF_PORT')
      .default(4010)
      .argParser(port),
    new Option(
      '--app-port <number>',
      'separate port for the app address, /api/v1 (default: --port)',
    )
      .env('HOOKPROOF_APP_PORT')
      .argParser(port),
    new Option('--json', 'print one line of JSON when ready, and nothing else'),
  ];
}

function stateOptions(): Option[] {
  return [
    new Option('--data <folder>', 'keep all state in this folder, across restarts')
      .env('HOOKPROOF_DATA')
      .conflicts('memory'),
    new Option('--memory', 'keep all state in memory only (the default)'),
    new Option(
      '--seed <number>',
      'seed of the first world: the same seed gives the same ids and keys',
    )
      .env('HOOKPROOF_SEED')
      .default(1)
      .argParser(integer(0, 4_294_967_295)),
    new Option(
      '--clock <kind>',
      'a virtual clock moves only when the control interface advances it',
    )
      .choices(['real', 'virtual'])
      .default('real'),
    new Option(
      '--now <time>',
      'start time of a virtual clock (default: the current time)',
    ).argParser(utcTime),
    new Option('--retry-profile <name>', 'how soon a failed delivery is retried')
      .choices(['real', 'fast', 'instant'])
      .default('fast'),
  ];
}

function limitOptions(): Option[] {
  return [
    new Option(
      '--rate-limit <requests/seconds>',
      'limit each key to this many requests in this many seconds; excess requests get 429 (default: no limit)',
    ).argParser(rate),
    new Option(
      '--body-limit <bytes>',
      'largest request body; a larger one gets 413 (default: 1 MiB)',
    ).argParser(bytes),
    new Option(
      '--upload-limit <bytes>',
      'largest uploaded file; a larger one gets 413 (default: 5 GiB)',
    ).argParser(bytes),
    new Option(
      '--redirect-above <bytes>',
      'redirect larger downloads and exports to a signed URL (default: no redirects)',
    ).argParser(bytes),
    new Option(
      '--signed-url-seconds <number>',
      'lifetime of a signed URL in seconds (default: 300)',
    ).argParser(integer(0, 86_400)),
  ];
}

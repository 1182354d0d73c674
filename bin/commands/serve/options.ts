import type { RetryProfileName, UploadTransport } from '@hookproof/server-reference';
import { Option } from 'commander';

import {
  folder,
  hostName,
  integer,
  list,
  origins,
  rate,
  servedHosts,
  targetUrls,
  uploadTransport,
  utcTime,
  webhookSecret,
} from '../../command-line/arguments.ts';
import type { Rate } from '../../command-line/arguments.ts';
import type { LogFormat } from './activity-lines.ts';

/** The options of `hookproof serve` after parsing. */
export interface ServeOptions {
  readonly port: number;
  readonly host?: string;
  readonly appPort?: number;
  readonly data?: string;
  readonly allowHost?: readonly string[];
  readonly cors?: readonly string[];
  readonly seed?: number;
  readonly historyLimit?: number;
  readonly world?: string;
  readonly clock: 'real' | 'virtual';
  readonly now?: number;
  readonly retryProfile: RetryProfileName;
  readonly rateLimit?: Rate;
  readonly bodyLimit?: number;
  readonly uploadLimit?: number;
  readonly uploadTransport?: UploadTransport;
  readonly redirectAbove?: number;
  readonly signedUrlSeconds?: number;
  readonly json?: true;
  readonly quiet?: true;
  readonly verbose?: true;
  readonly open?: true;
  readonly log?: LogFormat;
  readonly stateFile?: string;
  readonly forwardTo?: readonly string[];
  readonly secret?: string;
  readonly printSecret?: true;
  readonly writeEnv?: string;
  readonly defect?: readonly string[];
  readonly listDefects?: true;
}

/** The largest number that {@link integer} parses. */
const MAX_BYTES = 999_999_999_999_999;

const port = integer(0, 65_535);
const bytes = integer(0, MAX_BYTES);

/** Returns the options of `hookproof serve`, in the order of its help. */
export function serveOptions(): Option[] {
  return [
    ...addressOptions(),
    ...forwardOptions(),
    ...outputOptions(),
    ...stateOptions(),
    ...limitOptions(),
    ...defectOptions(),
  ];
}

function defectOptions(): Option[] {
  return [
    new Option('--defect <ids>', 'behave with these known defects').argParser(list),
    new Option('--list-defects', 'print every defect, and exit'),
  ];
}

function addressOptions(): Option[] {
  return [
    new Option('--port <number>', 'port; 0 picks a free one')
      .env('HOOKPROOF_PORT')
      .default(4010)
      .argParser(port),
    new Option('--host <address>', 'address to listen at (default: 127.0.0.1)').argParser(hostName),
    new Option(
      '--app-port <number>',
      'separate port for the app address, /api/v1 (default: --port)',
    )
      .env('HOOKPROOF_APP_PORT')
      .argParser(port),
    new Option(
      '--allow-host <names>',
      'serve requests with these Host headers too, without a port (default: loopback names only)',
    )
      .env('HOOKPROOF_ALLOW_HOST')
      .argParser(servedHosts),
    new Option(
      '--cors <origins>',
      'let pages of these origins call the server, such as http://localhost:5173',
    ).argParser(origins),
  ];
}

function forwardOptions(): Option[] {
  return [
    new Option(
      '--forward-to <url>',
      'send webhooks to your app: creates an endpoint and prints its secret; repeatable',
    ).argParser(targetUrls),
    new Option(
      '--secret <secret>',
      'secret of these endpoints (default: a generated one)',
    ).argParser(webhookSecret),
    new Option('--print-secret', 'print only the secret of these endpoints, and exit').conflicts(
      'json',
    ),
    new Option('--write-env <file>', 'set WEBHOOK_SECRET in this file to their secret'),
  ];
}

function outputOptions(): Option[] {
  return [
    new Option('--json', 'print one line of JSON when ready, and nothing else unless --log'),
    new Option(
      '--log <format>',
      'show a line for each request and attempt (default: text on a terminal of its own)',
    ).choices(['text', 'json']),
    new Option('--quiet', 'show no requests and attempts').conflicts('log'),
    new Option('--verbose', 'print every address and key, and variables for other terminals'),
    new Option('--open', 'open the dashboard in the browser'),
    new Option(
      '--state-file <file>',
      'file through which other commands find this server (default: in the folder for state of the user)',
    ).env('HOOKPROOF_STATE_FILE'),
  ];
}

function stateOptions(): Option[] {
  return [
    new Option('--data <folder>', 'keep all state in this folder, across restarts')
      .env('HOOKPROOF_DATA')
      .argParser(folder),
    new Option(
      '--seed <number>',
      'seed of the sample data: the same seed gives the same ids and keys (default: 1; random with --data)',
    )
      .env('HOOKPROOF_SEED')
      .argParser(integer(0, 4_294_967_295)),
    new Option(
      '--world <file>',
      'JSON file with what the server has instead of the sample data, such as {"reviewRequests": 250}',
    ),
    new Option(
      '--history-limit <runs>',
      'ended runs to retain, and five times as many deliveries (default: 1000)',
    ).argParser(integer(1, 100_000)),
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
      '--upload-transport <way>',
      'how clients send uploads: presigned-put, multipart, or a size in bytes up to which it is multipart (default: presigned-put)',
    ).argParser(uploadTransport),
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

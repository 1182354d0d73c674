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
  readonly log?: true;
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
    ...commonOptions(),
    ...outputOptions(),
    ...rareOptions().map((option) => option.hideHelp()),
  ];
}

function commonOptions(): Option[] {
  return [
    new Option('--port <number>', 'port (default: 4010, or HOOKPROOF_PORT); 0 picks a free one')
      .env('HOOKPROOF_PORT')
      .default(4010)
      .argParser(port),
    new Option('--data <folder>', 'keep all state in this folder, across restarts')
      .env('HOOKPROOF_DATA')
      .argParser(folder),
    new Option('--world <file>', 'your own data (JSON) instead of the sample data'),
    new Option('--forward-to <url>', 'send webhooks to your app; repeatable').argParser(targetUrls),
    new Option('--secret <secret>', 'secret of these webhooks (default: a new one)').argParser(
      webhookSecret,
    ),
    new Option('--write-env <file>', 'set WEBHOOK_SECRET in this file to their secret'),
    new Option('--clock <kind>', 'real, or virtual: it moves only when you advance it')
      .choices(['real', 'virtual'])
      .default('real'),
    new Option('--retry-profile <name>', 'pauses of the retries: real, fast (default), instant')
      .choices(['real', 'fast', 'instant'])
      .default('fast'),
    new Option('--defect <ids>', 'behave with these known defects').argParser(list),
    new Option('--list-defects', 'print every defect, and exit'),
  ];
}

function outputOptions(): Option[] {
  return [
    new Option('--open', 'open the dashboard in the browser'),
    new Option('--json', 'print a line of JSON when ready, and with --log more'),
    new Option('--log', 'show requests and attempts, also in a pipe'),
    new Option('--quiet', 'show no requests and attempts').conflicts('log'),
    new Option('--verbose', 'print every address and key'),
  ];
}

/** The help only names them: `server-reference/README.md` explains each. */
function rareOptions(): Option[] {
  return [
    ...rareAddressOptions(),
    new Option('--print-secret', 'print only the secret of --forward-to, and exit').conflicts(
      'json',
    ),
    new Option('--state-file <file>', 'through which other commands find this server').env(
      'HOOKPROOF_STATE_FILE',
    ),
    new Option('--seed <number>', 'seed of the sample data')
      .env('HOOKPROOF_SEED')
      .argParser(integer(0, 4_294_967_295)),
    new Option('--now <time>', 'start time of a virtual clock').argParser(utcTime),
    new Option('--history-limit <runs>', 'ended runs to retain').argParser(integer(1, 100_000)),
    ...limitOptions(),
  ];
}

function rareAddressOptions(): Option[] {
  return [
    new Option('--host <address>', 'address to listen at').argParser(hostName),
    new Option('--app-port <number>', 'separate port for the app address')
      .env('HOOKPROOF_APP_PORT')
      .argParser(port),
    new Option('--allow-host <names>', 'serve requests with these Host headers too')
      .env('HOOKPROOF_ALLOW_HOST')
      .argParser(servedHosts),
    new Option('--cors <origins>', 'let pages of these origins call the server').argParser(origins),
  ];
}

function limitOptions(): Option[] {
  return [
    new Option('--rate-limit <requests/seconds>', 'limit of the requests of each key').argParser(
      rate,
    ),
    new Option('--body-limit <bytes>', 'largest request body').argParser(bytes),
    new Option('--upload-limit <bytes>', 'largest uploaded file').argParser(bytes),
    new Option('--upload-transport <way>', 'how clients send uploads').argParser(uploadTransport),
    new Option('--redirect-above <bytes>', 'redirect larger downloads to a signed URL').argParser(
      bytes,
    ),
    new Option('--signed-url-seconds <number>', 'lifetime of a signed URL').argParser(
      integer(0, 86_400),
    ),
  ];
}

import { writeFileSync } from 'node:fs';
import { outcomeExitCode, renderHtml, renderJson, renderTerminal } from '@hookproof/conformance';
import { runConformance } from '@hookproof/conformance';
import type { ConformanceOptions, Report } from '@hookproof/conformance';
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';

import { httpAddress, list } from './arguments.ts';
import { applyConfigFile } from './config-file.ts';
import { readJsonObject } from './json-file.ts';
import { openScreen } from './screen.ts';
import type { Screen } from './screen.ts';
import { UsageError } from './usage-error.ts';

interface CheckOptions {
  readonly baseUrl?: string;
  readonly appUrl?: string;
  readonly key?: string;
  readonly fixtures?: string;
  readonly controlUrl?: string;
  readonly controlToken?: string;
  readonly sender?: true;
  readonly receiver?: string;
  readonly secret?: string;
  readonly secretEncoding: 'utf8' | 'base64';
  readonly observer?: string;
  readonly allowWrites?: true;
  readonly allowDeletes?: true;
  readonly only?: readonly string[];
  readonly report?: readonly ReportFile[];
  readonly json?: true;
}

const RENDERERS = { html: renderHtml, json: renderJson } as const;

interface ReportFile {
  readonly kind: keyof typeof RENDERERS;
  readonly file: string;
}

function reportFile(text: string, before: readonly ReportFile[] = []): ReportFile[] {
  const [kind = '', file = ''] = text.split(/=(.*)/s);
  if ((kind !== 'html' && kind !== 'json') || file === '') {
    throw new InvalidArgumentError('Expected kind=FILE, with the kind html or json.');
  }
  return [...before, { kind, file }];
}

const EXAMPLES = `
Exit codes:
  0 conformant   1 violated   2 usage   3 incomplete or nothing established
  4 target unreachable   5 error of the suite

Environment: HOOKPROOF_BASE_URL, HOOKPROOF_APP_URL, HOOKPROOF_KEY, HOOKPROOF_CONTROL_URL,
HOOKPROOF_CONTROL_TOKEN, HOOKPROOF_RECEIVER, HOOKPROOF_SECRET; or the section "check" of
hookproof.config.json, with the long names in camelCase.

Examples:
  $ hookproof check --base-url https://api.example.com --key "$KEY"
  $ hookproof check --base-url http://127.0.0.1:4010 --key KEY \\
      --control-url http://127.0.0.1:4010/_control --control-token TOKEN --sender --allow-writes
  $ hookproof check --receiver http://127.0.0.1:3000/ --secret "$SECRET"
  $ hookproof check … --only api.inbox --report html=report.html --report json=report.json`;

function address(flags: string, description: string, variable?: string): Option {
  const option = new Option(flags, description).argParser(httpAddress);
  return variable === undefined ? option : option.env(variable);
}

/** `hookproof check`: the conformance suite against an API, its sender, or a receiver. */
export function addCheck(program: Command): void {
  const command = program.command('check');
  command
    .description('Judge an API, its webhook sender or a webhook receiver by the contract.')
    .addOption(address('--base-url <url>', 'the API; /v1/… is appended', 'HOOKPROOF_BASE_URL'))
    .addOption(
      address('--app-url <url>', 'the app address; /api/v1/… is appended', 'HOOKPROOF_APP_URL'),
    )
    .addOption(new Option('--key <key>', 'an API key').env('HOOKPROOF_KEY'))
    .addOption(new Option('--fixtures <file>', 'JSON with more keys and known ids'))
    .addOption(
      address('--control-url <url>', 'a control interface of the API', 'HOOKPROOF_CONTROL_URL'),
    )
    .addOption(new Option('--control-token <token>', 'its token').env('HOOKPROOF_CONTROL_TOKEN'))
    .addOption(new Option('--sender', "judge the API's webhook sender too"))
    .addOption(
      address('--receiver <url>', 'judge the receiver at this address', 'HOOKPROOF_RECEIVER'),
    )
    .addOption(new Option('--secret <secret>', "the receiver's secret").env('HOOKPROOF_SECRET'))
    .addOption(
      new Option('--secret-encoding <form>', 'how a secret becomes key bytes')
        .choices(['utf8', 'base64'])
        .default('utf8'),
    )
    .addOption(address('--observer <url>', 'where the receiver shows what it handled'))
    .addOption(new Option('--allow-writes', 'let checks create and change things'))
    .addOption(new Option('--allow-deletes', 'let checks delete things'))
    .addOption(new Option('--only <ids>', 'checks to run, by id or prefix').argParser(list))
    .addOption(
      new Option('--report <kind=file>', 'also write a report: html or json').argParser(reportFile),
    )
    .addOption(new Option('--json', 'print the report as JSON'))
    .addHelpText('after', EXAMPLES)
    .action(async () => {
      applyConfigFile(command);
      process.exitCode = await check(command.opts<CheckOptions>(), openScreen());
    });
}

async function check(options: CheckOptions, screen: Screen): Promise<number> {
  const report = await runConformance({
    ...conformanceOptions(options),
    rejections: process,
    onProgress: ({ done, total, check: id }) => screen.progress(`${done}/${total}  ${id}`),
  }).catch((error: unknown) => {
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  });
  screen.print(shown(report, options, screen));
  for (const { kind, file } of options.report ?? []) {
    writeFileSync(file, RENDERERS[kind](report));
    screen.note(`${kind} report: ${file}`);
  }
  return outcomeExitCode(report);
}

function shown(report: Report, options: CheckOptions, screen: Screen): string {
  return options.json ? renderJson(report) : renderTerminal(report, { color: screen.color });
}

function conformanceOptions(options: CheckOptions): ConformanceOptions {
  const { baseUrl, appUrl, key, receiver, secret, controlUrl, controlToken } = options;
  if ((controlUrl === undefined) !== (controlToken === undefined)) {
    throw new UsageError('--control-url and --control-token go together: add the other one.');
  }
  if (receiver !== undefined && secret === undefined) {
    throw new UsageError('--receiver needs its secret: add --secret, or set HOOKPROOF_SECRET.');
  }
  if (baseUrl === undefined && receiver === undefined) {
    throw new UsageError(
      'nothing to check: add --base-url for an API (and --sender for its webhooks), or --receiver.',
    );
  }
  return {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(appUrl === undefined ? {} : { appUrl }),
    ...(key === undefined ? {} : { key }),
    ...(options.fixtures === undefined
      ? {}
      : { fixtures: readJsonObject(`--fixtures ${options.fixtures}`, options.fixtures) }),
    ...(controlUrl === undefined || controlToken === undefined
      ? {}
      : { control: { url: controlUrl, token: controlToken } }),
    ...(receiver === undefined || secret === undefined
      ? {}
      : {
          receiver: {
            url: receiver,
            secret,
            secretEncoding: options.secretEncoding,
            ...(options.observer === undefined ? {} : { observerUrl: options.observer }),
          },
        }),
    sender: options.sender === true,
    allowWrites: options.allowWrites === true,
    allowDeletes: options.allowDeletes === true,
    ...(options.only === undefined ? {} : { only: options.only }),
  };
}

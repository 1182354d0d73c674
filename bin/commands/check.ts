import { writeFileSync } from 'node:fs';
import {
  outcomeExitCode,
  renderHtml,
  renderJson,
  renderTerminal,
  runConformance,
} from '@hookproof/conformance';
import type { ConformanceOptions } from '@hookproof/conformance';
import type { Command } from 'commander';

import { applyConfigFile, readJsonObject } from '../command-line/config-file.ts';
import { UsageError } from '../command-line/errors.ts';
import { withGivenName } from '../command-line/option-name.ts';
import { openScreen } from '../command-line/screen.ts';
import type { Screen } from '../command-line/screen.ts';
import { checkOptions } from './check-options.ts';
import type { CheckOptions } from './check-options.ts';

const RENDERERS = { html: renderHtml, json: renderJson } as const;

const EXAMPLES = `
Exit codes:
  0 conformant   1 violated   2 usage   3 incomplete or nothing established
  4 target unreachable   5 error of the suite

Every option can also be set in hookproof.config.json, in the section "check" and in camelCase.
The command line overrides the environment, and the environment overrides the file.

Examples:
  $ hookproof check --base-url https://api.example.com --key "$KEY"
  $ hookproof check --base-url http://127.0.0.1:4010 --key KEY \\
      --control-url http://127.0.0.1:4010/_control --control-token TOKEN --sender --allow-writes
  $ hookproof check --receiver http://127.0.0.1:3000/ --secret "$SECRET"
  $ hookproof check … --only api.inbox --report html=report.html --report json=report.json`;

/** Adds `hookproof check`, which runs the conformance suite against an API, its sender or a receiver. */
export function addCheck(program: Command): void {
  const command = program
    .command('check')
    .description(
      'Checks whether an API, its webhook sender or a webhook receiver follows the contract.',
    )
    .addHelpText('after', EXAMPLES)
    .action(async () => {
      applyConfigFile(command);
      process.exitCode = await check(command, openScreen());
    });
  for (const option of checkOptions()) command.addOption(option);
}

async function check(command: Command, screen: Screen): Promise<number> {
  const options = command.opts<CheckOptions>();
  const report = await runConformance({
    ...conformanceOptions(options),
    rejections: process,
    onProgress: ({ done, total, check: id }) => screen.progress(`${done}/${total}  ${id}`),
  }).catch((error: unknown) => {
    throw error instanceof TypeError
      ? new UsageError(withGivenName(error.message, command))
      : error;
  });
  screen.print(options.json ? renderJson(report) : renderTerminal(report, { color: screen.color }));
  for (const { kind, file } of options.report ?? []) {
    writeFileSync(file, RENDERERS[kind](report));
    screen.note(`${kind} report: ${file}`);
  }
  return outcomeExitCode(report);
}

function conformanceOptions(options: CheckOptions): ConformanceOptions {
  const { baseUrl, appUrl, key, fixtures, only } = options;
  requirePartners(options);
  return {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(appUrl === undefined ? {} : { appUrl }),
    ...(key === undefined ? {} : { key }),
    ...(fixtures === undefined
      ? {}
      : { fixtures: readJsonObject(`--fixtures ${fixtures}`, fixtures) }),
    ...controlOption(options),
    ...receiverOption(options),
    sender: options.sender === true,
    allowWrites: options.allowWrites === true,
    allowDeletes: options.allowDeletes === true,
    ...(only === undefined ? {} : { only }),
  };
}

/** Throws a usage error when an option is missing that another one needs. */
function requirePartners(options: CheckOptions): void {
  const { baseUrl, appUrl, receiver, secret, controlUrl, controlToken } = options;
  if (controlUrl !== undefined && controlToken === undefined) {
    throw new UsageError(
      '--control-url needs --control-token, got none. Add it, or set HOOKPROOF_CONTROL_TOKEN.',
    );
  }
  if (controlToken !== undefined && controlUrl === undefined) {
    throw new UsageError(
      '--control-token needs --control-url, got none. Add it, or set HOOKPROOF_CONTROL_URL.',
    );
  }
  if (appUrl !== undefined && baseUrl === undefined) {
    throw new UsageError(
      '--app-url needs --base-url, got none. Add it, or set HOOKPROOF_BASE_URL.',
    );
  }
  if (receiver !== undefined && secret === undefined) {
    throw new UsageError('--receiver needs --secret, got none. Add it, or set HOOKPROOF_SECRET.');
  }
  if (baseUrl === undefined && receiver === undefined) {
    throw new UsageError(
      'check needs --base-url or --receiver, got neither. Add --base-url for an API (and --sender for its webhooks), or --receiver for a receiver.',
    );
  }
}

function controlOption({
  controlUrl: url,
  controlToken: token,
}: CheckOptions): Pick<ConformanceOptions, 'control'> {
  return url === undefined || token === undefined ? {} : { control: { url, token } };
}

function receiverOption(options: CheckOptions): Pick<ConformanceOptions, 'receiver'> {
  const { receiver: url, secret, secretEncoding, observer: observerUrl } = options;
  if (url === undefined || secret === undefined) return {};
  const observed = observerUrl === undefined ? {} : { observerUrl };
  return { receiver: { url, secret, secretEncoding, ...observed } };
}

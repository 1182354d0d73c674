import { InvalidArgumentError, Option } from 'commander';

import { httpUrl, list } from '../command-line/arguments.ts';

/** The options of `hookproof check` after parsing. */
export interface CheckOptions {
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

/** A report to write beside the one on standard output. */
export interface ReportFile {
  readonly kind: 'html' | 'json';
  readonly file: string;
}

/** Returns the options of `hookproof check`, in the order of its help. */
export function checkOptions(): Option[] {
  return [...apiOptions(), ...receiverOptions(), ...accessOptions(), ...reportOptions()];
}

function apiOptions(): Option[] {
  return [
    url('--base-url <url>', 'URL of the API, without /v1').env('HOOKPROOF_BASE_URL'),
    url('--app-url <url>', 'URL of the app address, without /api/v1').env('HOOKPROOF_APP_URL'),
    new Option('--key <key>', 'API key').env('HOOKPROOF_KEY'),
    new Option('--fixtures <file>', 'JSON file with further keys and known ids'),
    url('--control-url <url>', 'URL of the control interface').env('HOOKPROOF_CONTROL_URL'),
    new Option('--control-token <token>', 'token of the control interface').env(
      'HOOKPROOF_CONTROL_TOKEN',
    ),
    new Option(
      '--sender',
      'also check the webhook sender of the API; needs --control-url and --allow-writes',
    ),
  ];
}

function receiverOptions(): Option[] {
  return [
    url('--receiver <url>', 'URL of a webhook receiver to check').env('HOOKPROOF_RECEIVER'),
    new Option('--secret <secret>', 'secret of the receiver').env('HOOKPROOF_SECRET'),
    new Option('--secret-encoding <form>', 'how the secret is turned into key bytes')
      .choices(['utf8', 'base64'])
      .default('utf8'),
    url('--observer <url>', 'URL at which the receiver lists the events that it handled'),
  ];
}

function accessOptions(): Option[] {
  return [
    new Option(
      '--allow-writes',
      'allow checks that create and change resources (default: reads only)',
    ),
    new Option('--allow-deletes', 'allow checks that delete resources'),
    new Option('--only <ids>', 'run only these checks, by id or prefix (default: all)').argParser(
      list,
    ),
  ];
}

function reportOptions(): Option[] {
  return [
    new Option('--report <kind=file>', 'also write a report: html or json').argParser(reportFile),
    new Option('--json', 'print the report as JSON'),
  ];
}

function url(flags: string, description: string): Option {
  return new Option(flags, description).argParser(httpUrl);
}

function reportFile(text: string, before: readonly ReportFile[] = []): ReportFile[] {
  const [kind = '', file = ''] = text.split(/=(.*)/s);
  if ((kind !== 'html' && kind !== 'json') || file === '') {
    throw new InvalidArgumentError('Expected kind=FILE, with the kind html or json.');
  }
  return [...before, { kind, file }];
}

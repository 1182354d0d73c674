import type { ConformanceOptions } from '@hookproof/conformance';
import { Option } from 'commander';
import { parse } from 'yaml';

import { urlOption } from '../../../command-line/arguments.ts';
import { readObject } from '../../../command-line/json-file.ts';
import { UsageError } from '../../../command-line/errors.ts';

/** The options that name an API, its keys and its control interface. */
export interface ApiOptions {
  readonly baseUrl?: string;
  readonly appUrl?: string;
  readonly key?: string;
  readonly fixtures?: string;
  readonly controlUrl?: string;
  readonly controlToken?: string;
}

export function apiOptions(): Option[] {
  return [
    urlOption('--base-url <url>', 'URL of the API, without /v1').env('HOOKPROOF_BASE_URL'),
    urlOption('--app-url <url>', 'URL of the app, without /api/v1').env('HOOKPROOF_APP_URL'),
    new Option('--key <key>', 'API key; better in HOOKPROOF_KEY').env('HOOKPROOF_KEY'),
    new Option('--fixtures <file>', 'JSON or YAML file with further keys and ids'),
    urlOption('--control-url <url>', 'URL of the control interface').env('HOOKPROOF_CONTROL_URL'),
    new Option('--control-token <token>', 'better in HOOKPROOF_CONTROL_TOKEN').env(
      'HOOKPROOF_CONTROL_TOKEN',
    ),
  ];
}

/** Throws a usage error when an option is missing that another one needs. */
export function apiSettings(options: ApiOptions): ConformanceOptions {
  const { baseUrl, appUrl, key, fixtures } = options;
  const control = controlSettings(options);
  if (appUrl !== undefined && baseUrl === undefined) {
    throw new UsageError('--app-url requires --base-url. Add it, or set HOOKPROOF_BASE_URL.');
  }
  return {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(appUrl === undefined ? {} : { appUrl }),
    ...(key === undefined ? {} : { key }),
    ...(fixtures === undefined
      ? {}
      : { fixtures: readObject(`--fixtures ${fixtures}`, fixtures, 'YAML or JSON', parse) }),
    ...control,
  };
}

function controlSettings({
  controlUrl: url,
  controlToken: token,
}: ApiOptions): Pick<ConformanceOptions, 'control'> {
  if (url !== undefined && token === undefined) {
    throw new UsageError(
      '--control-url requires --control-token. Add it, or set HOOKPROOF_CONTROL_TOKEN.',
    );
  }
  return url === undefined || token === undefined ? {} : { control: { url, token } };
}

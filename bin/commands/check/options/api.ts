import type { ConformanceOptions } from '@hookproof/conformance';
import { Option } from 'commander';
import { parse } from 'yaml';

import { integer, urlOption } from '../../../command-line/arguments.ts';
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
  readonly header?: readonly Header[];
  readonly maxRequests?: number;
}

type Header = readonly [name: string, value: string];

/** Further keys of the fixtures, which a CI keeps in secrets and not in a file. */
const KEY_VARIABLES = {
  reviewer: 'HOOKPROOF_KEY_REVIEWER',
  ocr: 'HOOKPROOF_KEY_OCR',
  workflow: 'HOOKPROOF_KEY_WORKFLOW',
  otherTenant: 'HOOKPROOF_KEY_OTHER_TENANT',
} as const;

export function apiOptions(): Option[] {
  return [
    urlOption('--base-url <url>', 'URL of the API, without /v1').env('HOOKPROOF_BASE_URL'),
    urlOption('--app-url <url>', 'URL of the app, without /api/v1').env('HOOKPROOF_APP_URL'),
    new Option('--key <key>', 'API key; better in HOOKPROOF_KEY').env('HOOKPROOF_KEY'),
    new Option('--fixtures <file>', 'JSON or YAML file with further keys and ids'),
    new Option('--header <name=value>', 'header for a gateway in front of the API').argParser(
      header,
    ),
    new Option('--max-requests <number>', 'most requests to the API').argParser(
      integer(1, 999_999_999),
    ),
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
    ...(options.header === undefined ? {} : { headers: Object.fromEntries(options.header) }),
    ...(options.maxRequests === undefined ? {} : { maxRequests: options.maxRequests }),
    ...control,
    ...(baseUrl === undefined ? {} : fromEnvironment(process.env)),
  };
}

/** The further keys, and the proxies on the way to the API. */
function fromEnvironment(environment: NodeJS.ProcessEnv): ConformanceOptions {
  const keys = Object.fromEntries(
    Object.entries(KEY_VARIABLES).flatMap(([name, variable]) => {
      const value = environment[variable];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
  const read = (name: string): string | undefined =>
    environment[name.toLowerCase()] || environment[name] || undefined;
  const [http, https, no] = [read('HTTP_PROXY'), read('HTTPS_PROXY'), read('NO_PROXY')];
  return {
    ...(Object.keys(keys).length === 0 ? {} : { keys }),
    proxy: {
      ...(http === undefined ? {} : { http }),
      ...(https === undefined ? {} : { https }),
      ...(no === undefined ? {} : { no }),
    },
  };
}

/** Parses `NAME=VALUE`. The value is not repeated in a message: it may be a token. */
function header(text: string, before: readonly Header[] = []): Header[] {
  const [name = '', value = ''] = text.split(/=(.*)/s);
  if (name === '' || value === '') {
    throw new UsageError('--header must be NAME=VALUE, such as CF-Access-Client-Id=abc.');
  }
  return [...before, [name, value]];
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

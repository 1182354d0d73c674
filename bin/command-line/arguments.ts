import { InvalidArgumentError, Option } from 'commander';

import { UsageError } from './errors.ts';

/** As many as the receiver takes. */
const MAX_SECRETS = 8;

/** Returns a parser of a decimal integer within bounds. */
export function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^[0-9]{1,15}$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`Expected an integer from ${min} to ${max}.`);
    }
    return value;
  };
}

/** The number of requests that are allowed in a window of time. */
export interface Rate {
  readonly requests: number;
  readonly windowSeconds: number;
}

/** Parses a rate such as `100/60`: 1 or more requests in 1 to 86400 seconds. */
export function rate(text: string): Rate {
  const [, requests = 0, windowSeconds = 0] = (/^([0-9]{1,9})\/([0-9]{1,5})$/.exec(text) ?? []).map(
    Number,
  );
  if (requests < 1 || windowSeconds < 1 || windowSeconds > 86_400) {
    throw new InvalidArgumentError(
      'Expected requests/seconds such as 100/60, with 1 to 86400 seconds.',
    );
  }
  return { requests, windowSeconds };
}

/** Parses `presigned-put`, `multipart`, or a size in bytes. */
export function uploadTransport(text: string): 'presigned-put' | 'multipart' | number {
  if (text === 'presigned-put' || text === 'multipart') return text;
  if (/^[0-9]{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected presigned-put, multipart or a size in bytes.');
}

/** A day alone is its first moment. */
const UTC_TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,3})?)?Z)?$/;

/** Parses a UTC time such as `2026-07-01T00:00:00Z`, or a day such as `2026-07-01`, into milliseconds since the epoch. */
export function utcTime(text: string): number {
  const time = UTC_TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) {
    throw new InvalidArgumentError('Expected a UTC time such as 2026-07-01T00:00:00Z.');
  }
  if (time < 0) throw new InvalidArgumentError('Expected a time in the years 1970 to 9999.');
  return time;
}

/** Parses the path of a folder. */
export function folder(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('Expected the path of a folder.');
}

/** Parses the name or address of an interface of this machine. */
export function hostName(text: string): string {
  if (/^[a-z0-9.:_-]+$/i.test(text)) return text;
  throw new InvalidArgumentError('Expected a name or an address without a port, such as 0.0.0.0.');
}

/** Adds values of the Host header to those of an option that may be repeated, or be a comma-separated list. */
export function servedHosts(text: string, before: readonly string[] = []): string[] {
  const hosts = list(text);
  if (hosts.every((host) => /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)$/i.test(host))) {
    return [...before, ...hosts];
  }
  throw new InvalidArgumentError(
    'Expected names or addresses without a scheme and a port, such as platform.test.',
  );
}

/** Adds the origins of pages to those of an option that may be repeated, or be a comma-separated list. */
export function origins(text: string, before: readonly string[] = []): string[] {
  const given = list(text);
  if (given.every(isOrigin)) return [...before, ...given];
  throw new InvalidArgumentError('Expected origins such as http://localhost:5173.');
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

/** Parses an absolute http or https URL without credentials, query and fragment, and drops a trailing slash. */
export function httpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('Expected a URL such as http://127.0.0.1:4010.');
  }
  if (url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new InvalidArgumentError('Expected a URL without user name, query and fragment.');
  }
  return url.href.replace(/\/$/, '');
}

/** Parses the absolute http or https URL of an app. */
export function targetUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError('Expected a URL such as http://localhost:3000/.');
}

/** Adds the URL of an app to those of an option that may be repeated. */
export function targetUrls(text: string, before: readonly string[] = []): string[] {
  return [...before, targetUrl(text)];
}

/** Parses the secret of a webhook endpoint. The message does not repeat it. */
export function webhookSecret(text: string): string {
  return requireSecret(text, 'Check WEBHOOK_SECRET too.');
}

function requireSecret(text: string, advice: string): string {
  if (/^whsec_[!-~]{1,200}$/.test(text)) return text;
  // The message of an InvalidArgumentError would begin with the value.
  throw new UsageError(
    `--secret must be whsec_ and 1 to 200 visible characters, got ${formOf(text)}. ${advice}`,
  );
}

/** Says how a text that is no secret looks, without showing it. */
function formOf(text: string): string {
  if (text === '') return 'an empty text';
  if (!text.startsWith('whsec_')) return 'a text without whsec_';
  return text === 'whsec_' ? 'nothing after whsec_' : 'more or other characters';
}

/** Adds the secret of a webhook endpoint to those of an option that may be repeated. */
export function webhookSecrets(text: string, before: readonly string[] = []): string[] {
  if (before.length === MAX_SECRETS) {
    throw new UsageError(`--secret may be given at most ${MAX_SECRETS} times.`);
  }
  const advice =
    'Check WEBHOOK_SECRET too. Leave both out for another sender: hookproof explain takes its secret.';
  return [...before, requireSecret(text, advice)];
}

/** Adds the values of an option that may be repeated, or be a comma-separated list. */
export function list(text: string, before: readonly string[] = []): string[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.includes('')) throw new InvalidArgumentError('Expected names separated by commas.');
  return [...before, ...items];
}

/** Returns an option whose value is a URL, as {@link httpUrl} parses it. */
export function urlOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(httpUrl);
}

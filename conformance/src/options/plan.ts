import { createSecureContext } from 'node:tls';

import type { HeaderPair } from '../http/exchange.ts';
import { isLoopback } from '../http/loopback.ts';
import type { Proxies } from '../wire/connections.ts';
import type { StepPerformer } from './step.ts';
import { LOOPBACK } from '../listener/listener-server.ts';
import type { ListenAddress } from '../listener/listener-server.ts';
import { MIN_SECRET_LENGTH } from '../redaction/redactor.ts';
import { fixturesFrom, KEY_NAMES, named } from './facts.ts';
import type { FixtureName, KeyName } from './facts.ts';
import type { ConformanceOptions, Side } from './options.ts';

/** The control interface of a run. */
export interface ControlTarget {
  readonly url: string;
  readonly token: string;
}

/** The receiver under test. */
export interface ReceiverTarget {
  readonly url: string;
  readonly secret: string;
  readonly secretEncoding: 'utf8' | 'base64';
  readonly observerUrl: string | null;
}

/** The options, checked, with every default filled in. */
export interface Plan {
  readonly sides: readonly Side[];
  readonly baseUrl: string | null;
  readonly appUrl: string | null;
  readonly keys: Readonly<Partial<Record<KeyName, string>>>;
  readonly fixtures: Readonly<Partial<Record<FixtureName, string>>>;
  readonly headers: readonly HeaderPair[];
  readonly proxy: Proxies | null;
  readonly control: ControlTarget | null;
  readonly receiver: ReceiverTarget | null;
  readonly steps: StepPerformer | null;
  /** Where the suite listens for deliveries. */
  readonly listen: ListenAddress;
  readonly allowWrites: boolean;
  readonly allowDeletes: boolean;
  /** The command line of this run; null for a program. */
  readonly command: string | null;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly requestsPerSecond: number | null;
  readonly deliveriesPerSecond: number | null;
  readonly maxRequests: number | null;
  readonly concurrency: number;
  /** Null: the order of the catalogue. */
  readonly orderSeed: number | null;
  readonly retryWindowMilliseconds: number;
  readonly fuzz: { readonly seconds: number; readonly seed: number } | null;
}

/** As many as the engine can run at once. */
export const MAX_CONCURRENCY = 8;
const DEFAULT_REQUESTS_PER_SECOND = 5;
const DEFAULT_MAX_REQUESTS = 300;
const DEFAULT_RETRY_WINDOW_MILLISECONDS = 30_000;

/** Checks the options. Throws a `TypeError` that names the option, what was expected, what it got, and the fix. */
export function planFrom(options: ConformanceOptions): Plan {
  const sides = sidesFrom(options);
  const { allowWrites = false, allowDeletes = false, baseUrl, appUrl } = options;
  const { fixtures, keys } = fixturesFrom(options.fixtures ?? {});
  return {
    sides,
    baseUrl: baseUrl === undefined ? null : httpUrl('baseUrl', baseUrl, 'no-query'),
    appUrl: appUrl === undefined ? null : httpUrl('appUrl', appUrl, 'no-query'),
    keys: keysFrom(options, keys),
    fixtures,
    headers: headersFrom(options),
    proxy: proxyFrom(options),
    control: controlFrom(options),
    receiver: receiverFrom(options),
    steps: options.steps ?? null,
    listen: listenFrom(options),
    allowWrites,
    allowDeletes,
    command: options.command ?? null,
    only: options.only ?? [],
    skip: options.skip ?? [],
    requestsPerSecond: paceFor(baseUrl, options),
    deliveriesPerSecond: paceFor(options.receiver?.url, options),
    maxRequests: maxRequestsFrom(options),
    concurrency: concurrencyFrom(options),
    orderSeed: options.orderSeed ?? null,
    retryWindowMilliseconds: positive(
      'retryWindowMilliseconds',
      options.retryWindowMilliseconds ?? DEFAULT_RETRY_WINDOW_MILLISECONDS,
    ),
    fuzz: fuzzFrom(options),
  };
}

function fuzzFrom({ fuzz, baseUrl }: ConformanceOptions): Plan['fuzz'] {
  if (fuzz === undefined) return null;
  if (baseUrl === undefined) throw new TypeError('fuzz requires baseUrl. Add it.');
  const { seconds, seed } = fuzz;
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new TypeError(`fuzz.seed must be an integer from 0, got ${seed}.`);
  }
  return { seconds: positive('fuzz.seconds', seconds), seed };
}

function sidesFrom({ baseUrl, appUrl, sender, receiver }: ConformanceOptions): Side[] {
  if (appUrl !== undefined && baseUrl === undefined) {
    throw new TypeError('appUrl requires baseUrl. Add it.');
  }
  const sides: Side[] = [];
  if (baseUrl !== undefined) sides.push('api');
  if (sender === true) sides.push('sender');
  if (receiver !== undefined) sides.push('receiver');
  if (sides.length > 0) return sides;
  throw new TypeError(
    'No side is selected: add baseUrl (API), sender: true (sender) or receiver (receiver).',
  );
}

/** `key` and `keys` override the keys of the fixtures. */
function keysFrom(
  { key, keys = {} }: ConformanceOptions,
  fixtureKeys: Partial<Record<KeyName, string>>,
): Partial<Record<KeyName, string>> {
  const main = key === undefined ? {} : { main: key };
  const all = { ...fixtureKeys, ...named('keys', KEY_NAMES, keys), ...main };
  for (const [name, value] of Object.entries(all)) {
    secret(name === 'main' ? 'key' : `keys.${name}`, value);
  }
  return all;
}

/** Headers that the suite sets itself, or that a transport does. */
const OWN_HEADERS = /^(?:host|content-.*|connection|transfer-encoding|webhook-.*)$/i;

function headersFrom({ headers = {} }: ConformanceOptions): HeaderPair[] {
  return Object.entries(headers).map(([name, value]) => {
    const what = `headers.${name}`;
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      throw new TypeError(`headers must have names of headers, got ${JSON.stringify(name)}.`);
    }
    if (OWN_HEADERS.test(name)) {
      throw new TypeError(`${what} must not be set: the suite sets it. Leave it out.`);
    }
    if (/^authorization$/i.test(name)) {
      throw new TypeError(
        `${what} must not be set: it carries the API key. Use another header of the gateway, or let it allow this client.`,
      );
    }
    if (!/^[\x20-\x7e]+$/.test(value)) {
      throw new TypeError(`${what} must contain visible ASCII characters and blanks only.`);
    }
    return [name, value];
  });
}

function proxyFrom({ proxy }: ConformanceOptions): Proxies | null {
  const { http, https } = proxy ?? {};
  if (proxy === undefined || (http === undefined && https === undefined)) return null;
  for (const [name, value] of Object.entries({ http, https })) {
    if (value !== undefined && !URL.canParse(value)) {
      throw new TypeError(
        `proxy.${name} must be a URL such as http://proxy.example:3128, got ${JSON.stringify(value)}.`,
      );
    }
  }
  return proxy;
}

function controlFrom({ control }: ConformanceOptions): ControlTarget | null {
  if (control === undefined) return null;
  return {
    url: httpUrl('control.url', control.url, 'no-query'),
    token: secret('control.token', control.token),
  };
}

function receiverFrom({ receiver }: ConformanceOptions): ReceiverTarget | null {
  if (receiver === undefined) return null;
  const { url, secretEncoding = 'utf8', observerUrl } = receiver;
  return {
    url: httpUrl('receiver.url', url, 'query'),
    secret: secret('receiver.secret', receiver.secret),
    secretEncoding,
    observerUrl:
      observerUrl === undefined ? null : httpUrl('receiver.observerUrl', observerUrl, 'query'),
  };
}

function listenFrom({ listen, publicUrl }: ConformanceOptions): ListenAddress {
  const { host = LOOPBACK.host, port = 0, tls = null } = listen ?? {};
  const anyAddress = host === '0.0.0.0' || host === '::';
  if (anyAddress && publicUrl === undefined) {
    throw new TypeError(
      `listen.host ${host} is every address of this machine: add publicUrl, the URL under which the target reaches it.`,
    );
  }
  if (tls !== null) requireCertificate(tls);
  return {
    host,
    port,
    publicUrl: publicUrl === undefined ? null : httpUrl('publicUrl', publicUrl, 'no-query'),
    tls,
  };
}

/** Throws `TypeError` for a certificate or key that TLS cannot use. */
function requireCertificate(tls: { readonly cert: string; readonly key: string }): void {
  try {
    createSecureContext(tls);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TypeError(
      `listen.tls must be a PEM certificate with its private key, got an error: ${reason}.`,
      { cause: error },
    );
  }
}

function paceFor(
  url: string | undefined,
  { requestsPerSecond }: ConformanceOptions,
): number | null {
  if (requestsPerSecond !== undefined) return positive('requestsPerSecond', requestsPerSecond);
  const host = url === undefined ? 'localhost' : new URL(url).hostname;
  return isLoopback(host) ? null : DEFAULT_REQUESTS_PER_SECOND;
}

function maxRequestsFrom(options: ConformanceOptions): number | null {
  const { maxRequests, allowWrites = false, allowDeletes = false, fuzz } = options;
  if (maxRequests !== undefined) return positive('maxRequests', maxRequests);
  return allowWrites || allowDeletes || fuzz !== undefined ? null : DEFAULT_MAX_REQUESTS;
}

function concurrencyFrom({ concurrency = MAX_CONCURRENCY }: ConformanceOptions): number {
  if (Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= MAX_CONCURRENCY) {
    return concurrency;
  }
  throw new TypeError(
    `concurrency must be an integer from 1 to ${MAX_CONCURRENCY}, got ${concurrency}.`,
  );
}

/** An absolute http(s) URL, without a trailing slash. Throws `TypeError`. */
function httpUrl(name: string, value: string, allowed: 'query' | 'no-query'): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      `${name} must be a URL such as https://api.example.com, got ${JSON.stringify(value)}.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError(`${name} must not contain a user name or password: remove them.`);
  }
  if (url.hash !== '' || (allowed === 'no-query' && url.search !== '')) {
    const parts = allowed === 'query' ? 'a fragment' : 'a query or fragment';
    throw new TypeError(`${name} must not contain ${parts}, got ${JSON.stringify(value)}.`);
  }
  return allowed === 'query' ? url.href : url.href.replace(/\/+$/, '');
}

/** A key, token or secret, long enough to be replaced in reports without false hits. Throws `TypeError`. */
function secret(name: string, value: unknown): string {
  if (typeof value !== 'string' || value.length < MIN_SECRET_LENGTH) {
    throw new TypeError(
      `${name} must have at least ${MIN_SECRET_LENGTH} characters, so that reports can hide it.`,
    );
  }
  const [, scheme] = /^(Bearer|Basic|Token)\s/i.exec(value) ?? [];
  if (scheme !== undefined) {
    throw new TypeError(
      `${name} must be the key alone, got a text that begins with "${scheme} ". Leave "${scheme} " out: the suite adds it.`,
    );
  }
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new TypeError(
      `${name} must contain visible ASCII characters only. Check for a trailing line break.`,
    );
  }
  return value;
}

/** A number greater than zero. Throws `TypeError`. */
function positive(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new TypeError(`${name} must be a number greater than 0, got ${value}.`);
}

import { Agent, EnvHttpProxyAgent } from 'undici';
import type { Dispatcher } from 'undici';

import { isLoopback } from '../http/loopback.ts';

/** The proxies on the way to a target, in the form of the usual variables. */
export interface Proxies {
  /** The URL of the proxy for `http:`. */
  readonly http?: string;
  /** The URL of the proxy for `https:`. */
  readonly https?: string;
  /** The hosts that are reached without a proxy, separated by commas. */
  readonly no?: string;
}

/** The connections to the targets of a run, with or without a proxy. */
export interface Connections {
  /** The connections for requests to this URL. */
  to(url: string): Dispatcher;
  destroy(): Promise<void>;
}

/** Connections through the proxies of a run, which are never used for an address of this machine. */
export function openConnections(proxy: Proxies | null): Connections {
  const direct = new Agent();
  if (proxy === null) return { to: () => direct, destroy: () => direct.destroy() };
  // An empty text keeps undici from reading the environment itself.
  const { http = '', https = '', no = '' } = proxy;
  const through = new EnvHttpProxyAgent({ httpProxy: http, httpsProxy: https, noProxy: no });
  return {
    to: (url) => (isLoopback(new URL(url).hostname) ? direct : through),
    async destroy() {
      await Promise.all([direct.destroy(), through.destroy()]);
    },
  };
}

/** The proxy through which a URL is reached, as part of a sentence; empty for none. */
export function throughProxy(proxy: Proxies | null, url: string): string {
  const { protocol, hostname } = new URL(url);
  const used = protocol === 'https:' ? proxy?.https : proxy?.http;
  if (used === undefined || isLoopback(hostname)) return '';
  const variable = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  return ` through the proxy ${new URL(used).host} (${variable}; NO_PROXY lists exceptions)`;
}

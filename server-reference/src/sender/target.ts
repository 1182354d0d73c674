import { lookup } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import type { ClientRequest, RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

import { guardLookup } from './guarded-lookup.ts';
import { bareHost, isRefusedHost } from './target-url.ts';

/** More URLs than a server has endpoints; then they are read once more. */
const MOST_TARGETS = 10_000;

/** Where a URL leads: read and judged once. */
export type Target =
  | { readonly kind: 'refused'; readonly detail: string }
  | {
      readonly kind: 'reachable';
      /** Begins a POST; its body is for the caller to send. */
      begin(headers: Readonly<Record<string, string>>): ClientRequest;
    };

/** The targets that were read so far, and their kept-alive connections. */
export interface Targets {
  of(url: string): Target;
  /** Closes the idle connections. */
  close(): void;
}

export function createTargets(): Targets {
  const keeping = { keepAlive: true };
  const httpAgent = new HttpAgent(keeping);
  const httpsAgent = new HttpsAgent(keeping);
  const targets = new Map<string, Target>();

  function readTarget(text: string): Target {
    const url = new URL(text);
    if (isRefusedHost(url)) {
      return { kind: 'refused', detail: `${url.host} is an address where no event is sent` };
    }
    const options: RequestOptions = {
      method: 'POST',
      hostname: bareHost(url),
      port: url.port,
      path: url.pathname + url.search,
      lookup: guardLookup(lookup),
    };
    return {
      kind: 'reachable',
      begin:
        url.protocol === 'https:'
          ? (headers) =>
              httpsRequest({ ...options, agent: httpsAgent, headers: flat(url.host, headers) })
          : (headers) =>
              httpRequest({ ...options, agent: httpAgent, headers: flat(url.host, headers) }),
    };
  }

  return {
    of(text) {
      const known = targets.get(text);
      if (known !== undefined) return known;
      const target = readTarget(text);
      if (targets.size >= MOST_TARGETS) targets.clear();
      targets.set(text, target);
      return target;
    },
    close() {
      httpAgent.destroy();
      httpsAgent.destroy();
    },
  };
}

function flat(host: string, headers: Readonly<Record<string, string>>): string[] {
  const lines = ['host', host];
  for (const name in headers) lines.push(name, headers[name] ?? '');
  return lines;
}

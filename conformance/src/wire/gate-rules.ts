import type { Access } from '../check-kit/check.ts';

/** Where a request goes. `storage`: an address that the API redirected to. */
export type Channel = 'api' | 'storage' | 'receiver' | 'control';

/** What the run was allowed to do; fixed before the first request. */
export interface GateRules {
  readonly allowWrites: boolean;
  readonly allowDeletes: boolean;
  /** Origins that may be spoken to, per channel. Those of the storage are not known before a redirect names them. */
  readonly origins: Readonly<Record<Exclude<Channel, 'storage'>, readonly string[]>>;
}

/** Why a request must not go out, or null when it may. `redirects`: where answers of the API have led so far. */
export function refusalOf(
  request: {
    readonly channel: Channel;
    readonly access: Access;
    readonly method: string;
    readonly url: string;
  },
  rules: GateRules,
  redirects: ReadonlySet<string> = new Set(),
): string | null {
  const { channel, access, method, url } = request;
  if (channel === 'storage') return refusalOfStorage(method, url, redirects);
  if (!rules.origins[channel].includes(new URL(url).origin)) {
    return `${url} is not at an address of this run`;
  }
  if (channel === 'receiver') return null;
  if (channel === 'control') return refusalOfControl(method, url, rules);
  if (method === 'GET' || method === 'HEAD') return null;
  if (access === 'read') return `a check that only reads asked for ${method}`;
  if (method === 'DELETE') {
    if (access !== 'delete') return 'a check that does not declare deletes asked for DELETE';
    return rules.allowDeletes ? null : 'DELETE is locked: add --allow-deletes';
  }
  return rules.allowWrites ? null : `${method} is locked: add --allow-writes`;
}

function refusalOfStorage(
  method: string,
  url: string,
  redirects: ReadonlySet<string>,
): string | null {
  if (method !== 'GET') return `storage is only read, and a check asked for ${method}`;
  return redirects.has(url) ? null : `${url} is no address that the API redirected to`;
}

function refusalOfControl(method: string, url: string, rules: GateRules): string | null {
  const harmless = method === 'GET' && /\/(world|clock)$/.test(new URL(url).pathname);
  return harmless || rules.allowWrites
    ? null
    : `${method} on the control interface is locked: add --allow-writes`;
}

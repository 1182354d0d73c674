/** What a check does to its target. Test events to a receiver are `read`: by contract they have no effect. */
export type Access = 'read' | 'write' | 'delete';

/** Where a request goes. `storage`: a URL that the API redirected to. `listener`: the suite's own public URL. */
export type Channel = 'api' | 'storage' | 'receiver' | 'control' | 'listener';

/** Whether a request goes to the API or to the storage behind it. */
export function isApiTraffic(channel: Channel): boolean {
  return channel === 'api' || channel === 'storage';
}

/** What the run may do; fixed before the first request. */
export interface GateRules {
  readonly allowWrites: boolean;
  readonly allowDeletes: boolean;
  /** Allowed origins per channel. Storage has none: its URLs come from redirects. */
  readonly origins: Readonly<Record<Exclude<Channel, 'storage'>, readonly string[]>>;
}

/** Why a request is refused, or null when it may go out. `redirects`: every URL that the API has redirected to so far. */
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
    return `${url} is outside the origins of this run`;
  }
  if (channel === 'receiver') return null;
  if (channel === 'listener')
    return method === 'GET' ? null : `the listener accepts only GET, got ${method}`;
  if (channel === 'control') return refusalOfControl(method, url, rules);
  if (method === 'GET' || method === 'HEAD') return null;
  if (access === 'read') return `${method} needs access write or delete, the check has read`;
  if (method === 'DELETE') {
    if (access !== 'delete') return `DELETE needs access delete, the check has ${access}`;
    return rules.allowDeletes ? null : 'DELETE is locked: add --allow-deletes';
  }
  return rules.allowWrites ? null : `${method} is locked: add --allow-writes`;
}

function refusalOfStorage(
  method: string,
  url: string,
  redirects: ReadonlySet<string>,
): string | null {
  if (method !== 'GET') return `storage accepts only GET, got ${method}`;
  return redirects.has(url) ? null : `${url} is not a redirect target of the API`;
}

function refusalOfControl(method: string, url: string, rules: GateRules): string | null {
  const harmless = method === 'GET' && /\/(world|clock)$/.test(new URL(url).pathname);
  return harmless || rules.allowWrites
    ? null
    : `${method} on the control interface is locked: add --allow-writes`;
}

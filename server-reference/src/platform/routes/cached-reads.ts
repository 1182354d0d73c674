import { Download, JsonReply, JsonText, Redirect } from '../http/response.ts';
import { isTerminal } from '../state/run-transitions.ts';
import type { ApiRequest, Handler, Reply, Services } from './services.ts';

/** Characters and bytes. Beyond it all replies are forgotten, because callers choose the URLs. */
const MAX_KEPT_SIZE = 4_194_304;
/** What a reply takes beside its URL and its text. */
const REPLY_OVERHEAD = 512;

/**
 * Returns a handler with the same replies, each of which is kept until the next commit. The same tenant gets it
 * again at the same URL. A refusal, a redirect and a stream are not kept.
 *
 * @param handle - its replies must depend on nothing but the state, the tenant and the URL
 * @param changesWithTime - whether the reply to a request can change without a commit. Default: only where a
 * value of the query is a time such as `now-30d`
 */
export type CacheRead = <Query extends object>(
  handle: Handler<Query>,
  changesWithTime?: (request: ApiRequest<Query>) => boolean,
) => Handler<Query>;

/** Creates what keeps the replies of reads. All handlers share its room. */
export function cachedReads({ store }: Pick<Services, 'store'>): CacheRead {
  const kept = new Map<string, LastingReply>();
  let size = 0;
  let commits = store.commits;
  const forget = (): void => {
    kept.clear();
    size = 0;
    commits = store.commits;
  };
  return (handle, changesWithTime = namesTime) =>
    async function handleOnce(request) {
      if (changesWithTime(request)) return handle(request);
      if (commits !== store.commits) forget();
      const name = `${request.key.tenantId} ${request.incoming.url}`;
      const known = kept.get(name);
      if (known !== undefined) return known;
      const before = commits;
      const reply = await handle(request);
      const lasting = lastingForm(reply);
      // A reply to a request during which something changed may be that of the former state.
      if (lasting === null || before !== store.commits) return reply;
      kept.set(name, lasting);
      size += REPLY_OVERHEAD + name.length + sizeOf(lasting);
      if (size > MAX_KEPT_SIZE) forget();
      return lasting;
    };
}

function namesTime({ query }: ApiRequest<object>): boolean {
  return Object.values(query).some((value) => /^now/i.test(String(value)));
}

/** Returns whether a request reads a run that has not ended. What it shows can change with time. */
export function readsOpenRun({ store }: Pick<Services, 'store'>): (request: ApiRequest) => boolean {
  return ({ path }) => {
    const run = store.state.runs.get(path['id'] ?? '');
    return run === undefined || !isTerminal(run.status);
  };
}

type LastingReply = JsonText | (Download & { readonly content: Buffer });

function lastingForm(reply: Reply): LastingReply | null {
  if (reply instanceof Download) return hasAllBytes(reply) ? reply : null;
  const isJson = !(reply instanceof Redirect || reply instanceof JsonReply);
  return reply !== undefined && isJson ? new JsonText(reply) : null;
}

function hasAllBytes(reply: Download): reply is Download & { readonly content: Buffer } {
  return Buffer.isBuffer(reply.content);
}

function sizeOf(reply: LastingReply): number {
  return reply instanceof JsonText ? reply.text.length : reply.content.length;
}

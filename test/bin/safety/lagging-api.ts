import { EventEmitter, once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { onTestFinished } from 'vitest';
import { startProxy } from '@hookproof/conformance/proof';

import type { Serving } from '../hookproof.ts';

const INBOX = '/v1/dataset-review-requests';

type Entry = Readonly<Record<string, unknown>>;

/** An API whose inbox shows an update later than its response. */
export interface LaggingApi {
  readonly url: string;
  /** Resolves when an update has had its effect whose response is lost. */
  readonly reached: Promise<void>;
  /** What an update can set of each request, without the lag. */
  fields(): Promise<readonly Entry[]>;
}

/** How an inbox lags. Updates are counted from 1. */
export interface Lag {
  readonly milliseconds: number;
  /** The first update that it shows late. Default 1. */
  readonly from?: number;
  /** Of the updates that leave a request changed, the one whose response never comes. Default: none. */
  readonly lost?: number;
  /** Whether an update that gets a 4xx because of its key has its effect all the same. */
  readonly appliesRefused?: boolean;
  /** Called after each update, before its response. */
  readonly afterUpdate?: (update: number) => Promise<void>;
}

/** Stands before the API of a server. */
export async function lagBehind(
  { baseUrl, keys }: Serving,
  { milliseconds, from = 1, lost = 0, appliesRefused = false, afterUpdate }: Lag,
): Promise<LaggingApi> {
  const allowed = [['authorization', `Bearer ${keys.wildcard}`] as const];
  const inbox = async (): Promise<readonly Entry[]> => {
    const headers = Object.fromEntries(allowed);
    const response = await fetch(`${baseUrl}${INBOX}?limit=100&offset=0`, { headers });
    const { data }: { readonly data: readonly Entry[] } = JSON.parse(await response.text());
    return data;
  };
  /** What the inbox was before each update, and how long it still shows that. */
  const past: { readonly entries: readonly Entry[]; readonly until: number }[] = [];
  const signals = new EventEmitter();
  const reached = once(signals, 'reached').then(() => {});
  const original = (await inbox()).map(settable);
  let updates = 0;
  let changes = 0;
  const proxy = await startProxy(
    {
      api: async (request, next) => {
        const { pathname } = new URL(request.url);
        if (request.method === 'PATCH') {
          const entries = await inbox();
          const response = await next(request);
          if (response.status !== 200) {
            if (!appliesRefused) return response;
            past.push({ entries, until: Date.now() + milliseconds });
            await next({ ...request, headers: [...allowed, ['content-type', 'application/json']] });
            return response;
          }
          updates += 1;
          if (updates >= from) past.push({ entries, until: Date.now() + milliseconds });
          await afterUpdate?.(updates);
          if (isDeepStrictEqual((await inbox()).map(settable), original)) return response;
          changes += 1;
          if (changes !== lost) return response;
          signals.emit('reached');
          return new Promise(() => {});
        }
        const response = await next(request);
        const shown = past.find(({ until }) => until > Date.now());
        if (pathname !== INBOX || response.status !== 200 || shown === undefined) return response;
        const page = JSON.parse(Buffer.from(response.bytes).toString('utf8'));
        const data = page.data.map(
          (entry: Entry) => shown.entries.find(({ id }) => id === entry['id']) ?? entry,
        );
        return { ...response, bytes: Buffer.from(JSON.stringify({ ...page, data })) };
      },
    },
    { target: baseUrl },
  );
  onTestFinished(() => proxy.close());
  return {
    url: proxy.url,
    reached,
    fields: async () => (await inbox()).map(settable),
  };
}

/** What an update can set, and what names the request. */
function settable(entry: Entry): Entry {
  const names = ['id', 'automationId', 'title', 'instructions', 'focusFields', 'ignoredFields'];
  return Object.fromEntries([...names, 'status'].map((name) => [name, entry[name]]));
}

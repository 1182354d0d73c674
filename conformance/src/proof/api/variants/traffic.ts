import type { HeaderPair } from '../../../http/exchange.ts';
import type { Incoming } from '../../../http/message.ts';
import { isRecord } from '../../../http/message.ts';
import { jsonOf, refuse, withHeader, withJson, withQuery } from '../../kit/message.ts';
import { variant } from '../../kit/defect.ts';
import type { Variant } from '../../kit/defect.ts';
import { isSuccess } from '../../kit/api.ts';

const LISTS: Readonly<Record<string, string>> = {
  listDatasetReviewRequests: 'data',
  listTemplates: 'items',
  listAgents: 'data',
};

/** A check of so many writes meets such a gateway whenever it is repeated. */
const MANY_WRITES = ['api.review-update.wrong-type'];

/** Lists in another order, redirects in chains, and a platform that is busy. */
export const trafficVariants: readonly Variant[] = [
  ordered('lists-oldest-first', 'Lists the oldest entry first.', 'createdAt'),
  ordered('lists-by-id', 'Lists entries by id.', 'id'),
  ordered('lists-by-title', 'Lists entries by title.', 'title'),
  ...[1, 20, 100].map((limit): Variant =>
    variant({
      id: `default-limit-${limit}`,
      does: `Lists have ${limit} as their default limit.`,
      takes: 'inbox.limit.default',
      api: ({ operationOf }) => ({
        api: (request, next) => {
          const isList = LISTS[operationOf(request)?.operationId ?? ''] !== undefined;
          const isDefault = !new URL(request.url).searchParams.has('limit');
          return next(isList && isDefault ? withQuery(request, 'limit', String(limit)) : request);
        },
      }),
    }),
  ),
  variant({
    id: 'storage-redirects-in-a-chain',
    does: 'Redirects twice more within its storage.',
    takes: 'limits.redirect-threshold',
    api: () => ({
      storage: async (request, next) => {
        // The signature covers the query as it is written.
        const [own = '', hop = '0'] = request.url.split('&hop=');
        if (hop === '2') return next({ ...request, url: own });
        const location = `${own}&hop=${Number(hop) + 1}`;
        return { status: 307, headers: [['location', location]], bytes: new Uint8Array() };
      },
    }),
  }),
  ...Object.entries<readonly (readonly [number, HeaderPair | null])[]>({
    'limits-in-passing': [[429, ['retry-after', '0']]],
    'unavailable-in-passing': [[503, ['retry-after', '0']]],
    'both-in-passing': [
      [429, ['retry-after', '0']],
      [503, ['retry-after', '0']],
    ],
  }).map(([id, kinds]): Variant =>
    variant({
      id,

      does: `Responds ${kinds.map(([status]) => status).join(' or ')} to some requests.`,
      takes: 'limits.rate',
      api: ({ random }) => ({
        api: (request, next) => {
          const [status, wait] = kinds[Math.floor(random() * kinds.length)] ?? [429, null];
          if (random() > 0.04) return next(request);
          return Promise.resolve(withWait(refuse(status, 'busy'), wait));
        },
      }),
    }),
  ),
  ...[502, 503, 504].map((status) =>
    variant({
      id: `gateway-${status}-in-passing`,
      takes: 'status-code.others',
      does: `A gateway responds ${status} with a page to every fortieth request, before the platform sees it.`,
      api: () => {
        let count = 0;
        return {
          api: (request, next) =>
            (count += 1) % 40 === 0 ? Promise.resolve(gatewayPage(status)) : next(request),
        };
      },
      silences: MANY_WRITES,
    }),
  ),
  variant({
    id: 'gateway-502-after-the-request',
    takes: 'status-code.others',
    does: 'A gateway responds 502 with a page to every fortieth request, after the platform has processed it.',
    api: () => {
      let count = 0;
      return {
        api: async (request, next) => {
          const response = await next(request);
          return (count += 1) % 40 === 0 ? gatewayPage(502) : response;
        },
      };
    },
    silences: MANY_WRITES,
  }),
];

function gatewayPage(status: number): Incoming {
  const bytes = Buffer.from(`<html><h1>${status}</h1><hr>gateway</html>`);
  return { status, headers: [['content-type', 'text/html']], bytes };
}

function withWait(response: Incoming, wait: HeaderPair | null): Incoming {
  return withHeader(response, 'retry-after', wait === null ? null : wait[1]);
}

/** Reads the whole list, orders it and cuts the page out. Lists of more than 100 entries stay as they are. */
function ordered(id: string, does: string, member: string): Variant {
  return variant({
    id,
    does,
    takes: 'inbox.order',
    api: ({ operationOf }) => ({
      api: async (request, next) => {
        const response = await next(request);
        const entries = LISTS[operationOf(request)?.operationId ?? ''];
        const body = jsonOf(response);
        if (entries === undefined || !isSuccess(response) || !isRecord(body)) return response;
        const whole = jsonOf(
          await next(withQuery(withQuery(request, 'limit', '100'), 'offset', '0')),
        );
        const all = isRecord(whole) ? whole[entries] : undefined;
        const page = body[entries];
        if (!Array.isArray(all) || !Array.isArray(page) || Number(body['total']) > 100)
          return response;
        const sorted = all.toSorted((one: unknown, other: unknown) =>
          textOf(one, member).localeCompare(textOf(other, member)),
        );
        const offset = Number(new URL(request.url).searchParams.get('offset') ?? 0);
        return withJson(response, {
          ...body,
          [entries]: sorted.slice(offset, offset + page.length),
        });
      },
    }),
  });
}

function textOf(entry: unknown, member: string): string {
  return isRecord(entry) ? `${String(entry[member])} ${String(entry['id'])}` : '';
}

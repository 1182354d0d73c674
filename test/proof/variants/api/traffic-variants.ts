import type { HeaderPair, Incoming } from '@hookproof/conformance/hooks';
import { variant } from '@hookproof/conformance/proof/kit/defect';
import type { Variant } from '@hookproof/conformance/proof/kit/defect';
import { refuse, withHeader } from '@hookproof/conformance/proof/kit/message';

/** A check of so many writes meets such a gateway whenever it is repeated. */
const MANY_WRITES = ['api.review-update.wrong-type'];

/** A platform that is busy, and gateways before it. */
export const trafficVariants: readonly Variant[] = [
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
      at: 'gateway',
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
    at: 'gateway',
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

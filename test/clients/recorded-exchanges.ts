import type { HeaderPair } from '@hookproof/conformance/hooks';
import { startProxy } from '@hookproof/conformance/proof';
import type { Proxy } from '@hookproof/conformance/proof';

type Headers = readonly HeaderPair[];

/** A request and its response, as they were on the wire. */
export interface Exchange {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly requestHeaders: Headers;
  readonly requestBody: Uint8Array | null;
  readonly status: number;
  readonly responseHeaders: Headers;
  readonly responseBody: Buffer;
}

/** Starts a proxy of a server that adds each exchange to `exchanges`. */
export function recordExchanges(baseUrl: string, exchanges: Exchange[]): Promise<Proxy> {
  return startProxy(
    {
      async api(request, next) {
        const response = await next(request);
        exchanges.push({
          method: request.method,
          target: request.url.slice(baseUrl.length),
          requestHeaders: request.headers,
          requestBody: request.body,
          status: response.status,
          responseHeaders: response.headers,
          responseBody: Buffer.from(response.bytes),
        });
        return response;
      },
    },
    { target: baseUrl },
  );
}

/** Names the exchange whose response is played back. */
const EXCHANGE_HEADER = 'x-exchange';

/** Starts a server that sends the recorded response of the exchange that a request names. */
export function playBack(exchanges: readonly Exchange[]): Promise<Proxy> {
  return startProxy(
    {
      api({ headers }) {
        const [, index] = headers.find(([name]) => name.toLowerCase() === EXCHANGE_HEADER) ?? [];
        const exchange = exchanges[Number(index)];
        if (exchange === undefined) throw new Error('no exchange is named');
        const { status, responseHeaders, responseBody } = exchange;
        return Promise.resolve({ status, headers: responseHeaders, bytes: responseBody });
      },
    },
    { target: 'http://played.back' },
  );
}

/** The headers with which the request of an exchange is sent again. */
export function headersOf({ requestHeaders }: Exchange, index: number): Headers {
  return [...requestHeaders, [EXCHANGE_HEADER, String(index)]];
}

import type { Hooks } from '@hookproof/conformance/hooks';
import { defects, openTransformations, startProxy } from '@hookproof/conformance/proof';
import type { Defect } from '@hookproof/conformance/proof';
import { createServer } from '@hookproof/server-reference';
import type {
  AttemptResult,
  DeliveryInterceptor,
  ReferenceServer,
  ServerOptions,
} from '@hookproof/server-reference';

import { didYouMean } from '../../command-line/did-you-mean.ts';
import { UsageError } from '../../command-line/errors.ts';

/** A line for each defect: its id and what such an implementation does. */
export function defectLines(): string[] {
  const width = Math.max(...defects.map(({ id }) => id.length));
  return defects.map(({ id, side, does }) => `${id.padEnd(width)}  ${side.padEnd(6)}  ${does}`);
}

/** Starts a server that has these defects: a proxy on its port changes what clients see, and its sender what it sends. */
export async function startDefective(
  ids: readonly string[],
  { port = 0, ...options }: ServerOptions,
): Promise<ReferenceServer> {
  const chosen = ids.map(transformationOf);
  let hooks: Hooks = {};
  const server = await createServer({
    ...options,
    deliveryInterceptor: (order, next) => intercept(hooks)(order, next),
  });
  hooks = openTransformations(chosen, {
    keys: { ...server.world.keys },
    receiverSecret: undefined,
    random: Math.random,
  });
  const controlPrefix = new URL(server.controlUrl).pathname;
  const proxy = await startProxy(hooks, { target: server.baseUrl, port, controlPrefix }).catch(
    async (error: unknown) => {
      await server.close();
      throw error;
    },
  );
  return {
    ...server,
    baseUrl: proxy.url,
    appUrl: proxy.url,
    controlUrl: proxy.url + controlPrefix,
    dashboardUrl: server.dashboardUrl.replace(server.baseUrl, proxy.url),
    async close() {
      await proxy.close();
      await server.close();
    },
  };
}

function transformationOf(id: string): Defect {
  const found = defects.find((one) => one.id === id);
  if (found !== undefined) return found;
  const ids = defects.map((one) => one.id);
  throw new UsageError(
    `--defect must be a known id, got ${id}.${didYouMean(id, ids)} All of them: hookproof serve --list-defects`,
  );
}

/** The hook of the catalogue as the sender of the reference server calls it. */
function intercept({ delivery }: Hooks): DeliveryInterceptor {
  return async (order, next) => {
    if (delivery === undefined) return next(order);
    const { url, headers, body } = order.request;
    let last: AttemptResult | undefined;
    const response = await delivery(
      { method: 'POST', url, headers: Object.entries(headers), body },
      async (passed) => {
        const request = {
          url: passed.url,
          headers: Object.fromEntries(passed.headers),
          body: Buffer.from(passed.body ?? []),
        };
        last = await next({ ...order, request });
        if (last.status === null) throw new NoResponse(last);
        return {
          status: last.status,
          headers: pairsOf(last.headers ?? []),
          bytes: Buffer.from(last.body ?? ''),
        };
      },
    ).catch((error: unknown) => {
      if (error instanceof NoResponse) return error.result;
      throw error;
    });
    if ('error' in response) return response;
    return {
      status: response.status,
      headers: response.headers.flat(),
      body: Buffer.from(response.bytes).toString('utf8'),
      error: null,
      detail: null,
      sent: last?.sent ?? order.request,
    };
  };
}

/** A request of a hook got no response. */
class NoResponse extends Error {
  override readonly name = 'NoResponse';
  readonly result: AttemptResult;

  constructor(result: AttemptResult) {
    super(result.detail ?? result.error ?? 'no response');
    this.result = result;
  }
}

function pairsOf(rawHeaders: readonly string[]): [name: string, value: string][] {
  return rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as [string, string]] : [],
  );
}

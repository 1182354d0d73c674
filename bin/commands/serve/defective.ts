import { defects, openTransformations, startProxy, variants } from '@hookproof/conformance/proof';
import type { Hooks } from '@hookproof/conformance/proof';
import { createServer } from '@hookproof/server-reference';
import type {
  AroundDelivery,
  ReferenceServer,
  SentDelivery,
  ServerOptions,
} from '@hookproof/server-reference';

import { UsageError } from '../../command-line/errors.ts';
import { nearestOf } from '../../command-line/nearest.ts';

const CATALOGUE = [...defects, ...variants];

/** A line for each defect and variant: its id and what such an implementation does. */
export function defectLines(): string[] {
  const width = Math.max(...CATALOGUE.map(({ id }) => id.length));
  return CATALOGUE.map(({ id, side, does }) => `${id.padEnd(width)}  ${side.padEnd(6)}  ${does}`);
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
    aroundDelivery: (request, send) => around(hooks)(request, send),
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

function transformationOf(id: string): (typeof CATALOGUE)[number] {
  const found = CATALOGUE.find((one) => one.id === id);
  if (found !== undefined) return found;
  const ids = CATALOGUE.map((one) => one.id);
  throw new UsageError(
    `--defect must be a known id, got ${id}. Did you mean ${nearestOf(id, ids)}? All of them: hookproof serve --list-defects`,
  );
}

/** The hook of the catalogue as the sender of the reference server calls it. */
function around({ delivery }: Hooks): AroundDelivery {
  return async (request, send) => {
    if (delivery === undefined) return send(request);
    const { url, headers, body } = request;
    const response = await delivery(
      { method: 'POST', url, headers: Object.entries(headers), body },
      async (passed) => {
        const sent: SentDelivery = {
          url: passed.url,
          headers: Object.fromEntries(passed.headers),
          body: Buffer.from(passed.body ?? []),
        };
        const { status, retryAfter, body: text } = await send(sent);
        return {
          status,
          headers: retryAfter.map((value) => ['retry-after', value] as const),
          bytes: Buffer.from(text ?? ''),
        };
      },
    );
    const waits = response.headers.filter(([name]) => name.toLowerCase() === 'retry-after');
    return {
      status: response.status,
      retryAfter: waits.map(([, value]) => value),
      body: Buffer.from(response.bytes).toString('utf8'),
    };
  };
}

import { once } from 'node:events';
import { createServer as createEndpoint } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createServer } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { request } from 'undici';

import type { Coverage, VisitedFile } from './coverage.ts';
import { HeldClock } from './held-clock.ts';

/** Longer than the first delays of the default retry profile. */
const UNTIL_RETRY = 10_000;

/**
 * A delivery, from its place in the outbox to the recorded attempt. Two parts, since a run that is created
 * also visits files that have nothing to do with deliveries:
 *
 * - the files that creating a run visits only when there is an endpoint;
 * - the files that a due retry visits, from the timer to the recorded attempt.
 *
 * The lab is left out: it wraps the platform's sender.
 */
export async function delivery(coverage: Coverage): Promise<VisitedFile[]> {
  let status = 204;
  const endpoint = createEndpoint((message, response) => {
    message.resume().on('end', () => response.writeHead(status).end());
  });
  await once(endpoint.listen(0, '127.0.0.1'), 'listening');
  const clock = new HeldClock();
  const server = await createServer({ store: { kind: 'memory' }, clock });
  try {
    const without = await visitedByRun(coverage, server, clock);
    const { port } = endpoint.address() as AddressInfo;
    await control(server, '/webhook-endpoints', { url: `http://127.0.0.1:${port}/` });
    const withEndpoint = await visitedByRun(coverage, server, clock);

    status = 503;
    await control(server, '/runs', {});
    await clock.advance(0);
    status = 204;
    coverage.take();
    await clock.advance(UNTIL_RETRY);
    const retry = coverage.take();
    return joined(
      retry,
      withEndpoint.filter(({ path }) => !without.some((one) => one.path === path)),
    ).filter(({ path }) => !/\/src\/lab\//.test(path));
  } finally {
    await server.close();
    endpoint.close();
  }
}

/** What a run that is created visits, the first attempts included. */
async function visitedByRun(
  coverage: Coverage,
  server: ReferenceServer,
  clock: HeldClock,
): Promise<VisitedFile[]> {
  await control(server, '/runs', {});
  await clock.advance(0);
  coverage.take();
  await control(server, '/runs', {});
  await clock.advance(0);
  return coverage.take();
}

async function control(
  { controlUrl, controlToken }: ReferenceServer,
  path: string,
  json: object,
): Promise<void> {
  const response = await request(controlUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
  const text = await response.body.text();
  if (response.statusCode !== 201) {
    throw new Error(`POST ${path} must get 201, got ${response.statusCode}: ${text}`);
  }
}

function joined(some: readonly VisitedFile[], more: readonly VisitedFile[]): VisitedFile[] {
  const others = more.filter(({ path }) => !some.some((one) => one.path === path));
  return [...some, ...others].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { expect, onTestFinished, test } from 'vitest';

import { START, controlClient } from '../lab/control/control-client.ts';
import { recordingLogger } from '../store/recording-logger.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';
import { listenAt } from './endpoint-listener.ts';
import type { EndpointListener } from './endpoint-listener.ts';

const PAGE = JSON.stringify({ code: 'out_of_order', page: '<p>busy</p>'.repeat(800) });
const SHOWN = PAGE.slice(0, 4_096);

async function serve(path: string): Promise<ReferenceServer> {
  const server = await createServer({
    store: { kind: 'folder', path },
    clock: virtualClock({ now: START, stallTimeoutMilliseconds: 5_000 }),
    logger: recordingLogger(),
  });
  onTestFinished(() => server.close());
  return server;
}

/** An endpoint that responds 500 with a long page. */
function failingEndpoint(): Promise<EndpointListener> {
  return listenAt((response) => {
    response.statusCode = 500;
    response.end(PAGE);
  });
}

test('each attempt shows the beginning of a long response body, also after a restart', async () => {
  const folder = await temporaryFolder();
  const server = await serve(folder);
  const control = controlClient(server);
  await control.endpoint((await failingEndpoint()).url);
  await control.run();
  await control.run();
  await control.advance(60_000);
  const deliveries = await control.deliveries();
  const attempts = deliveries.flatMap((delivery) => delivery.attempts);
  expect(attempts.length).toBeGreaterThan(3);
  expect(attempts.every(({ responseBody }) => responseBody === SHOWN)).toBe(true);
  await server.close();
  const again = controlClient(await serve(folder));
  expect(await again.deliveries()).toEqual(deliveries);
  expect(await again.expectOk(200, `/deliveries/${deliveries[0]?.id}/attempts/1`)).toMatchObject({
    attempt: { responseBody: SHOWN },
    explanation: { cause: 'app_failed' },
  });
});

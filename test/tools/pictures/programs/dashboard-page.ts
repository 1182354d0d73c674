import { createServer as createHttpServer } from 'node:http';

import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import type { Page } from 'playwright-core';

import { NOW } from './moment.ts';

const APP_PORT = 3000;

/** What the app responds, in the order of the attempts. All later ones get 202. */
const RESPONSES = [202, 202, 503, 202, 401, 202, 503];

/** A dashboard with deliveries of every kind. */
export interface Dashboard {
  /** Opens it in a page, with one delivery selected. */
  readonly show: (page: Page) => Promise<void>;
  close(): Promise<void>;
}

/** Starts a platform and an app on port 3000, and makes the same things happen each time. */
export async function openDashboard(): Promise<Dashboard> {
  const server = await createServer({
    store: { kind: 'memory' },
    clock: virtualClock({ now: NOW }),
    seed: 1,
  });
  const app = createHttpServer((request, response) => {
    request.resume();
    response.writeHead(RESPONSES.shift() ?? 202).end();
  });
  await new Promise<void>((resolve) => app.listen(APP_PORT, resolve));
  await fill(server);
  app.close();
  app.closeAllConnections();
  return {
    show: async (page) => {
      await page.goto(server.dashboardUrl);
      await page.getByText('401').first().click();
      await page.getByText('App verification').waitFor();
    },
    close: () => server.close(),
  };
}

/** Runs of two automations whose webhooks arrive, are refused, and are retried. */
async function fill({ controlUrl, controlToken, world }: ReferenceServer): Promise<void> {
  async function post<T>(path: string, body: unknown): Promise<T> {
    const response = await fetch(controlUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} must get a 2xx, got ${await response.text()}`);
    return (await response.json()) as T;
  }
  await post('/webhook-endpoints', { url: `http://localhost:${APP_PORT}/hooks` });
  const { workflowId, agentId } = world.fixtures;
  const statuses = ['pending', 'running', 'waiting', 'running', 'finalizing', 'completed'];
  for (const [automationId, path] of [
    [workflowId, statuses.slice(1)],
    [agentId, ['pending', 'running', 'failed']],
  ] as const) {
    const run = await post<{ id: string }>('/runs', { automationId });
    for (const status of path) {
      await post(`/runs/${run.id}/moves`, { status });
      await post('/clock/advance', { milliseconds: 2000 });
    }
  }
}

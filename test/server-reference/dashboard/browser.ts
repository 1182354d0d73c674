import { chromium } from 'playwright-core';
import type { BrowserContext, Locator, Page, ViewportSize } from 'playwright-core';
import type { ServerOptions } from '@hookproof/server-reference';
import { describe, expect, inject, onTestFinished } from 'vitest';

import { startControlled } from '../lab/control/control-client.ts';

/** What a test of the dashboard starts with. */
export interface Opening {
  readonly options?: Partial<ServerOptions>;
  /** The address below `/_dashboard/`. Default: the page of deliveries. */
  readonly path?: string;
  /** Default: 1280 by 800. */
  readonly viewport?: ViewportSize;
  /** Default: light. */
  readonly colorScheme?: 'light' | 'dark';
}

type Controlled = Awaited<ReturnType<typeof startControlled>>;

export interface OpenedDashboard extends Controlled {
  readonly page: Page;
  /** The URLs of all requests of the page. */
  readonly requested: readonly string[];
}

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--process-per-site',
];

/** A `describe` whose tests are left out if no browser is installed; the run then says so. */
export const describeInBrowser: ReturnType<typeof describe.skipIf> = describe.skipIf(
  inject('browserPath') === null,
);

let shared: Promise<BrowserContext> | undefined;

/**
 * Opens the context that all pages of this process share. It ends with the process. Each server is an origin of
 * its own, so pages share no state. Pages of a context share a renderer, and the start of another costs more than
 * most tests.
 */
async function openContext(): Promise<BrowserContext> {
  const executablePath = inject('browserPath') ?? '';
  const browser = await chromium.launch({ executablePath, headless: true, args: ARGUMENTS });
  const permissions = ['clipboard-read', 'clipboard-write'];
  const context = await browser.newContext({ viewport: null, permissions });
  // The renderer stays as long as a page is open.
  const keeper = await context.newPage();
  await keeper.route('**', (route) => route.fulfill({ body: '' }));
  await keeper.goto('http://127.0.0.1/');
  return context;
}

/**
 * Starts a server on a virtual clock and opens its dashboard in a new page. When the test ends, it fails
 * if a script failed, if the page broke its Content-Security-Policy, or if a URL contained the token.
 */
export async function openDashboard(opening: Opening = {}): Promise<OpenedDashboard> {
  const control = await startControlled(opening.options);
  return { ...control, ...(await openPage(control, opening)) };
}

/** Opens the dashboard of a server in a new page. */
export async function openPage(
  { server }: Pick<Controlled, 'server'>,
  {
    path = '',
    viewport = { width: 1280, height: 800 },
    colorScheme = 'light',
  }: Omit<Opening, 'options'> = {},
): Promise<Pick<OpenedDashboard, 'page' | 'requested'>> {
  shared ??= openContext();
  const page = await (await shared).newPage();
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  const requested: string[] = [];
  const problems: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message));
  page.on('console', (message) => {
    // Refused connections are part of tests that cut the stream.
    const isNetwork = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isNetwork) problems.push(message.text());
  });
  onTestFinished(async () => {
    const address = page.url();
    await page.close();
    expect(problems).toEqual([]);
    expect([address, ...requested].filter((url) => url.includes(server.controlToken))).toEqual([]);
  });
  const [base = '', fragment = ''] = server.dashboardUrl.split('#');
  await page.goto(`${base}${path}#${fragment}`);
  await page.getByText('live', { exact: true }).waitFor();
  return { page, requested };
}

/** The row of a list with this id. */
export function rowOf(page: Page, id: string): Locator {
  return page.locator(`[data-row="${id}"]`);
}

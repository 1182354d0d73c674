import axeCore from 'axe-core';
import { chromium } from 'playwright-core';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from 'playwright-core';
import type { ServerOptions } from '@hookproof/server-reference';
import { describe, expect, inject, onTestFinished } from 'vitest';

import { startControlled } from '../lab/control/control-client.ts';

/** What a test of the dashboard starts with. */
export interface Opening {
  readonly options?: Partial<ServerOptions>;
  /** The address below `/_dashboard/`. Default: the page of deliveries. */
  readonly path?: string;
  readonly context?: BrowserContextOptions;
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

let shared: Promise<Browser> | undefined;

/** Returns the browser that all tests of this process share. It ends with the process. */
function browser(): Promise<Browser> {
  const executablePath = inject('browserPath') ?? '';
  shared ??= chromium.launch({ executablePath, headless: true, args: ARGUMENTS });
  return shared;
}

const contexts = new Map<string, Promise<BrowserContext>>();

/** Returns the context of all pages with these options. Each server is an origin of its own, so they share no state. */
function contextOf(options: BrowserContextOptions): Promise<BrowserContext> {
  const name = JSON.stringify(options);
  const context = contexts.get(name) ?? openContext(options);
  contexts.set(name, context);
  return context;
}

async function openContext(options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await (
    await browser()
  ).newContext({ viewport: { width: 1280, height: 800 }, ...options });
  // Pages of a site share a process as long as one is open, and the start of another costs more than most tests.
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
  { path = '', context: contextOptions = {} }: Omit<Opening, 'options'> = {},
): Promise<Pick<OpenedDashboard, 'page' | 'requested'>> {
  const page = await (await contextOf(contextOptions)).newPage();
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

/** Fails the test if the page breaks a rule of accessibility that axe can check. */
export async function expectAccessible(page: Page): Promise<void> {
  // A script of the test is not bound by the policy of the page.
  await page.evaluate(axeCore.source);
  const violations = await page.evaluate(async () => {
    const { violations: found } = await (
      globalThis as unknown as { axe: typeof axeCore }
    ).axe.run();
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  });
  expect(violations).toEqual([]);
}

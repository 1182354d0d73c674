import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { nodeInbox } from '@hookproof/receiver/inbox';
import type { Inbox } from '@hookproof/receiver/inbox';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, onTestFinished } from 'vitest';

const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--no-first-run'];

/** Starts a browser for the tests around, and returns what opens the page of an inbox in it, served below a path. */
export function usePages(): (inbox: Inbox, hash?: string) => Promise<Page> {
  let browser: Browser;
  beforeAll(async () => {
    const executablePath = inject('browserPath') ?? '';
    browser = await chromium.launch({ executablePath, headless: true, args: ARGUMENTS });
  });
  afterAll(() => browser.close());
  return async (inbox, hash = '') => {
    const server = createServer(nodeInbox(inbox));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    onTestFinished(async () => {
      await page.close();
      server.closeAllConnections();
      server.close();
      expect(problems).toEqual([]);
    });
    const { port } = server.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/admin/hooks${hash}`);
    await page.getByText('in progress', { exact: false }).first().waitFor();
    return page;
  };
}

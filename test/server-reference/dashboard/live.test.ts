import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { startControlled } from '../lab/control/control-client.ts';
import { listenAt } from '../platform/sender/endpoint-listener.ts';
import { describeInBrowser, openPage } from './browser.ts';
import type { OpenedDashboard } from './browser.ts';
import { startCutProxy } from './cut-proxy.ts';
import type { CutProxy } from './cut-proxy.ts';

/** A dashboard whose connection can be cut, and an endpoint. */
async function throughProxy(): Promise<OpenedDashboard & { readonly proxy: CutProxy }> {
  const control = await startControlled();
  const proxy = await startCutProxy(control.server.baseUrl);
  const dashboardUrl = control.server.dashboardUrl.replace(control.server.baseUrl, proxy.origin);
  const opened = await openPage({ server: { ...control.server, dashboardUrl } });
  await control.endpoint((await listenAt()).url);
  return { ...control, ...opened, proxy };
}

/** The ids of the rows, in the order of the page. */
function shownIds(page: Page): Promise<(string | null)[]> {
  return page
    .locator('[data-row]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row')));
}

describeInBrowser('the live rows', () => {
  test('after a cut connection, no row is lost or doubled', async () => {
    const opened = await throughProxy();
    const { page, proxy, requested } = opened;
    for (let made = 0; made < 3; made += 1) await opened.run();
    await opened.idle();
    await expect.poll(async () => (await shownIds(page)).length).toBe(3);
    proxy.cut();
    await page.getByText(/^lost, retry in \d+ s$/).waitFor();
    for (let made = 0; made < 4; made += 1) await opened.run();
    await opened.idle();
    const listed = requested.filter((url) => url.includes('/delivery-rows')).length;
    proxy.mend();
    await page.getByText('live', { exact: true }).waitFor();
    const all = (await opened.deliveries()).map(({ id }) => id);
    await expect.poll(async () => (await shownIds(page)).length).toBe(all.length);
    expect(new Set(await shownIds(page))).toEqual(new Set(all));
    // The stream resumed: the list was not read again.
    expect(requested.filter((url) => url.includes('/delivery-rows'))).toHaveLength(listed);
    await opened.run();
    await expect.poll(async () => (await shownIds(page)).length).toBe(8);
  });
});

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { startControlled } from '../lab/control/control-client.ts';
import { listenAt, statuses } from '../events/endpoint-listener.ts';
import { expectAccessible } from '../../expect-accessible.ts';
import { describeInBrowser, openDashboard, openPage, rowOf } from './browser.ts';
import type { OpenedDashboard, Opening } from './browser.ts';
import { startCutProxy } from './cut-proxy.ts';
import type { CutProxy } from './cut-proxy.ts';

interface WithDelivery extends OpenedDashboard {
  readonly id: string;
  readonly url: string;
}

/** A dashboard with one delivery that got these statuses, on one row. */
async function withDelivery(script: number[], opening: Opening = {}): Promise<WithDelivery> {
  const opened = await openDashboard(opening);
  const { url } = await listenAt(statuses(...script));
  await opened.endpoint(url);
  await opened.run();
  await opened.idle();
  const { id } = await opened.onlyDelivery();
  await rowOf(opened.page, id).waitFor();
  return { ...opened, id, url };
}

describeInBrowser('the page of deliveries', () => {
  test('shows a delivery as it happens, and both sides of each attempt', async () => {
    const { page, id } = await withDelivery([401]);
    await expect.poll(() => rowOf(page, id).textContent()).toContain('401 · not retried');
    await rowOf(page, id).click();
    expect(page.url()).toContain(`/_dashboard/deliveries/${id}`);
    const panel = page.getByRole('tabpanel');
    await expect
      .poll(() => panel.textContent())
      .toContain('Look for what answers before the webhook route');
    expect(await panel.textContent()).toMatch(/\(whsec_….{4}, \d+ characters\)/);
    await page.getByRole('tab', { name: 'Sent' }).click();
    expect(await panel.textContent()).toContain('webhook-signature');
    expect(await panel.textContent()).toContain('"type": "run.created"');
    await page.getByRole('tab', { name: 'Came back' }).click();
    expect(await panel.textContent()).toContain('401');
    expect(page.url()).toContain('tab=came-back');
  });

  test('explains a delivery that was given up with the response and the fix, and redelivers it', async () => {
    const opened = await openDashboard();
    const { page } = opened;
    const listener = await listenAt((response) => {
      response.writeHead(500).end('{"code":"body_already_read"}');
    });
    await opened.endpoint(listener.url);
    await opened.run();
    await opened.advance(60_000);
    await rowOf(page, (await opened.onlyDelivery()).id).click();
    const panel = page.getByRole('tabpanel');
    await expect.poll(() => panel.textContent()).toContain('gave up after 8 attempts');
    expect(await panel.locator('blockquote').textContent()).toBe('{"code":"body_already_read"}');
    expect(await panel.textContent()).toContain('before any body parser');
    await panel.getByRole('button', { name: 'Redeliver' }).click();
    await expect.poll(async () => (await opened.onlyDelivery()).attempts.length).toBe(9);
  });

  test('shows what a delivery fault changed', async () => {
    const opened = await openDashboard();
    const { page } = opened;
    await opened.endpoint((await listenAt()).url);
    await opened.expectOk(201, '/delivery-faults', { name: 'tampered-body' });
    await opened.run();
    await opened.idle();
    const { id } = await opened.onlyDelivery();
    await rowOf(page, id).click();
    await page.getByRole('tab', { name: 'Difference' }).click();
    const panel = page.getByRole('tabpanel');
    await expect.poll(() => panel.locator('del').count()).toBe(1);
    expect(await panel.locator('ins').count()).toBe(1);
    expect(await panel.textContent()).toContain('tampered-body');
  });

  test('redelivers, and then shows the new attempt', async () => {
    const { page, id } = await withDelivery([503, 204]);
    await rowOf(page, id).click();
    const attempts = page.getByRole('list', { name: 'Attempts' });
    await attempts.getByRole('button').waitFor();
    await page.getByRole('button', { name: 'Redeliver' }).first().click();
    await expect.poll(() => attempts.getByRole('button').count()).toBe(2);
    await expect.poll(() => attempts.locator('[aria-pressed=true]').textContent()).toContain('204');
    expect(await attempts.textContent()).toContain('manual');
    await attempts.getByRole('button').first().click();
    expect(page.url()).toContain('attempt=1');
    await expect.poll(() => rowOf(page, id).textContent()).toContain('204');
  });

  test('names the automation and the endpoint of a delivery, each before its id', async () => {
    const opened = await withDelivery([204]);
    const { page, id, url, server } = opened;
    await rowOf(page, id).click();
    const { runId, endpointId } = await opened.onlyDelivery();
    const facts = page.locator('.facts dd');
    await expect
      .poll(() => facts.allTextContents())
      .toEqual(
        expect.arrayContaining([
          `${server.world.fixtures.workflowSlug} ${runId}`,
          `${url.replace('http://', '')} ${endpointId}`,
        ]),
      );
  });

  test('copies a curl command that sends the same request, and a test', async () => {
    const { page, id, url } = await withDelivery([401]);
    await rowOf(page, id).click();
    const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole('button', { name: 'Copy as test' }).click();
    await expect.poll(clipboard).toContain("from '@hookproof/receiver/testing'");
    await page.keyboard.press('c');
    await expect.poll(clipboard).toContain(`curl -X POST '${url}'`);
    expect(await clipboard()).toMatch(/-H 'webhook-signature: v1=?,?[^']+'/);
  });

  test('an address with filters shows the same rows to somebody else', async () => {
    const opened = await openDashboard({ path: 'deliveries?status=failed' });
    const { page } = opened;
    const bad = await opened.endpoint((await listenAt(statuses(400))).url);
    await opened.endpoint((await listenAt(statuses(204))).url);
    await opened.run();
    await opened.idle();
    const failed = (await opened.deliveries()).find(({ endpointId }) => endpointId === bad.id);
    await rowOf(page, failed?.id ?? '').waitFor();
    await expect.poll(() => page.locator('[data-row]').count()).toBe(1);
    await page.getByRole('link', { name: 'all', exact: true }).click();
    await expect.poll(() => page.locator('[data-row]').count()).toBe(2);
    await page.getByRole('link', { name: 'delivered' }).click();
    await expect.poll(() => page.locator('[data-row]').allTextContents()).toHaveLength(1);
    await page.goBack();
    await expect.poll(() => page.locator('[data-row]').count()).toBe(2);
    await page.getByLabel('Search the list').fill(failed?.id ?? '');
    await expect.poll(() => page.locator('[data-row]').count()).toBe(1);
  });

  test('without rows, shows the command that makes the first', async () => {
    const opened = await openDashboard();
    const { page } = opened;
    await page.getByText('npx hookproof serve --forward-to').waitFor();
    await opened.endpoint('http://127.0.0.1:1/');
    await page.getByText('npx hookproof trigger').waitFor();
    await expectAccessible(page);
  });

  test('shows hostile texts as text', async () => {
    const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    const opened = await openDashboard();
    const { page } = opened;
    const listener = await listenAt((response) => response.writeHead(400).end(hostile));
    await opened.endpoint(`${listener.url}/%3Cb%3E'"&lt;`);
    await opened.run({ output: { text: hostile }, status: 'completed' });
    await opened.idle();
    await rowOf(page, (await opened.onlyDelivery()).id).click();
    const panel = page.getByRole('tabpanel');
    for (const tab of ['Came back', 'Sent', 'Explain']) {
      await page.getByRole('tab', { name: tab }).click();
      if (tab === 'Came back') expect(await panel.textContent()).toContain(hostile);
    }
    expect(await page.locator('img, main script').count()).toBe(0);
    expect(await page.title()).toBe('Deliveries · Hookproof');
  });

  test.each(['light', 'dark'] as const)(
    'list and detail are accessible in the %s theme',
    async (colorScheme) => {
      const { page, id } = await withDelivery([401], { colorScheme });
      await rowOf(page, id).click();
      await expect
        .poll(() => page.getByRole('tab').allTextContents())
        .toEqual(['Sent', 'Came back', 'Explain']);
      for (const tab of ['Sent', 'Came back', 'Explain']) {
        await page.getByRole('tab', { name: tab }).click();
        await expectAccessible(page);
      }
    },
  );

  test('shows the statuses of a run and their results in one row', async () => {
    const opened = await openDashboard();
    const { page, server } = opened;
    await opened.endpoint((await listenAt(statuses(204, 401))).url);
    const { fixtures } = server.world;
    const run = await opened.run({ automationId: fixtures.agentId, status: 'pending' });
    await opened.advance(1_000);
    await opened.move(run.id, 'running');
    await opened.idle();
    await page.getByRole('button', { name: 'By run' }).click();
    const group = page.locator('.by-run > ul > li');
    await expect.poll(() => group.locator('.run-lane > li').allTextContents()).toHaveLength(2);
    expect(await group.count()).toBe(1);
    expect(await group.locator('b').allTextContents()).toEqual([fixtures.agentSlug]);
    expect(await group.locator('.run-lane').textContent()).toBe('pending204running401');
    await expectAccessible(page);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Delivery/ }).waitFor();
    expect(page.url()).toContain('group=run');
  });

  test('counts by status on the tabs and the rail, and redelivers all that failed', async () => {
    const opened = await openDashboard();
    const { page } = opened;
    await opened.endpoint((await listenAt(statuses(400, 404, 204, 204, 204))).url);
    for (let made = 0; made < 3; made += 1) await opened.run();
    await opened.idle();
    const rail = page.getByRole('link', { name: 'Deliveries' });
    await expect.poll(() => rail.textContent()).toBe('Deliveries2');
    await expect
      .poll(() => page.getByLabel('Status').textContent())
      .toBe('allpending 0delivered 1failed 2');
    await page.getByRole('button', { name: 'Redeliver all failed' }).click();
    await page.getByRole('button', { name: 'Redeliver 2 deliveries' }).click();
    await expect.poll(async () => (await opened.deliveries('?status=delivered')).length).toBe(3);
    await expect.poll(() => rail.textContent()).toBe('Deliveries');
    await expect
      .poll(() => page.getByRole('button', { name: 'Redeliver all failed' }).count())
      .toBe(0);
  });

  test('on a narrow screen, list and detail are two screens', async () => {
    const { page, id } = await withDelivery([204], {
      viewport: { width: 390, height: 844 },
    });
    await rowOf(page, id).click();
    await expect.poll(() => rowOf(page, id).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => rowOf(page, id).isVisible()).toBe(true);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
  });
});

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

describeInBrowser('the live rows of the page of deliveries', () => {
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
    const listed = requested.filter((url) => url.includes('/delivery-rows?limit=200')).length;
    proxy.mend();
    await page.getByText('live', { exact: true }).waitFor();
    const all = (await opened.deliveries()).map(({ id }) => id);
    await expect.poll(async () => (await shownIds(page)).length).toBe(all.length);
    expect(new Set(await shownIds(page))).toEqual(new Set(all));
    // The stream resumed: the list was not read again.
    expect(requested.filter((url) => url.includes('/delivery-rows?limit=200'))).toHaveLength(
      listed,
    );
    await opened.run();
    await expect.poll(async () => (await shownIds(page)).length).toBe(8);
  });

  test('a focused or hovered row keeps its place, and the list says how many rows are new', async () => {
    const opened = await openDashboard();
    const { page } = opened;
    await opened.endpoint((await listenAt()).url);
    await opened.run();
    await opened.idle();
    const first = rowOf(page, (await opened.onlyDelivery()).id);
    await first.waitFor();
    const top = async (): Promise<number | undefined> => (await first.boundingBox())?.y;
    const before = await top();
    await page.keyboard.press('j');
    await opened.run();
    await opened.run();
    const fresh = page.getByRole('button', { name: '2 new deliveries' });
    await fresh.waitFor();
    expect(await top()).toBe(before);
    expect(await shownIds(page)).toHaveLength(1);
    await expectAccessible(page);
    await fresh.click();
    await expect.poll(() => shownIds(page)).toHaveLength(3);
    await page.mouse.move(1, 1);
    await page.getByLabel('Search the list').focus();
    await opened.run();
    await expect.poll(() => shownIds(page)).toHaveLength(4);
    await first.hover();
    await opened.run();
    await page.getByRole('button', { name: '1 new delivery' }).waitFor();
    await page.mouse.move(1, 1);
    await expect.poll(() => shownIds(page)).toHaveLength(5);
  });

  test('a search counts and marks what matches, knows operators, and takes no word for a part of an id', async () => {
    const opened = await openDashboard();
    const { page } = opened;
    const bad = await opened.endpoint((await listenAt(statuses(400))).url);
    const good = await opened.endpoint(`${(await listenAt()).url}/orders`);
    const { id: runId } = await opened.run();
    await opened.idle();
    await expect.poll(() => shownIds(page)).toHaveLength(2);
    const failed = (await opened.deliveries()).find(({ endpointId }) => endpointId === bad.id);
    const search = page.getByLabel('Search the list');
    const found = async (text: string): Promise<(string | null)[]> => {
      await search.fill(text);
      await search.blur();
      return shownIds(page);
    };
    expect(await found('orders')).toHaveLength(1);
    await page.getByText('1 of 2 deliveries match “orders”.').waitFor();
    expect(await page.evaluate(() => CSS.highlights.get('search')?.size)).toBe(1);
    expect(await found('status:failed')).toEqual([failed?.id]);
    expect(await found('status:400 run.created')).toEqual([failed?.id]);
    expect(await found('endpoint:orders')).toHaveLength(1);
    expect(await found(`endpoint:${good.id}`)).toHaveLength(1);
    expect(await found(`run:${runId}`)).toHaveLength(2);
    expect(await found(failed?.id.slice(-6) ?? '')).toEqual([failed?.id]);
    expect(await found(failed?.id.slice(6, 10) ?? '')).toEqual([]);
    expect(await found('nothing')).toEqual([]);
    await page.getByText('No delivery matches “nothing”.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => shownIds(page)).toHaveLength(2);
    expect(await search.inputValue()).toBe('');
  });
});

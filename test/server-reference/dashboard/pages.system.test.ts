import type { World } from '@hookproof/spec/control';
import { expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';

import receiver from '../../../receiver/package.json' with { type: 'json' };
import { listenAt, statuses } from '../events/endpoint-listener.ts';
import { send } from '../send.ts';
import { expectAccessible } from '../../expect-accessible.ts';
import { describeInBrowser, openDashboard } from './browser.ts';

const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
const button = (within: Page | Locator, name: string): Locator =>
  within.getByRole('button', { name, exact: true });
const detail = (page: Page): Locator => page.locator('section.detail');
const text = (locator: Locator): Promise<string | null> => locator.textContent();

describeInBrowser('the page of runs', () => {
  test('offers only the moves that are allowed, and shows each status with its events', async () => {
    const control = await openDashboard({ path: 'runs' });
    const { page } = control;
    const listener = await listenAt(statuses(204));
    await control.endpoint(listener.url);
    const run = await control.run({ status: 'running', output: { total: '<b>3</b>' } });
    await page.locator(`[data-row="${run.id}"]`).click();
    const moves = detail(page).locator('header .actions button[title^="Move"]');
    await expect
      .poll(() => moves.allTextContents())
      .toEqual(['waiting', 'finalizing', 'failed', 'cancelled']);
    await button(detail(page), 'finalizing').click();
    await expect.poll(() => moves.allTextContents()).toEqual(['completed', 'failed', 'cancelled']);
    await control.idle();
    const lane = page.locator('.lane > li');
    await expect.poll(() => lane.allTextContents()).toHaveLength(2);
    await expect
      .poll(() => text(lane.nth(1)))
      .toMatch(/finalizing.*run\.status_changed204 · \d+ ms 127/);
    await page.getByRole('tab', { name: 'Output' }).click();
    expect(await text(page.getByRole('tabpanel'))).toContain('<b>3</b>');
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    await expect.poll(() => page.getByRole('tabpanel').getByRole('link').count()).toBe(2);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.url()).not.toContain(run.id);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-row'))).toBe(
      run.id,
    );
  });

  test('shows the end of an id, and the age in its largest unit', async () => {
    const control = await openDashboard({ path: 'runs' });
    const run = await control.run();
    await control.advance(2 * 3_600_000 + 60_000);
    const row = control.page.locator(`[data-row="${run.id}"]`);
    await expect.poll(() => text(row.locator('time'))).toBe('2 h');
    expect(await text(row.locator('.ref'))).toBe(run.id.slice(-6));
  });

  test('lists the newest first, and follows filters in the address', async () => {
    const control = await openDashboard({ path: 'runs?status=waiting' });
    const run = await control.run({ status: 'running' });
    const row = control.page.locator(`[data-row="${run.id}"]`);
    expect(await row.count()).toBe(0);
    await control.move(run.id, 'waiting');
    await row.waitFor();
    const first = control.page.locator('[data-row]').first();
    expect(await first.getAttribute('data-row')).toBe(run.id);
  });
});

describeInBrowser('the page of endpoints', () => {
  test('creates, tests, disables, enables and deletes an endpoint', async () => {
    const control = await openDashboard({ path: 'endpoints' });
    const { page } = control;
    expect(await text(page.locator('.empty'))).toContain('npx hookproof serve --forward-to');
    const listener = await listenAt(statuses(204));
    await button(page, 'New endpoint').click();
    await page.getByLabel('URL').fill('http://169.254.1.1/');
    await button(page, 'Create endpoint').click();
    await expect.poll(() => text(page.locator('.notices'))).toContain('cloud metadata');
    await page.getByLabel('URL').fill(listener.url);
    await page.getByLabel('Headers').fill('X-Team: <i>blue</i>');
    await button(page, 'Create endpoint').click();
    await button(detail(page), 'Send test').click();
    await listener.arrived(1);
    const row = page.locator('[data-row]');
    await expect.poll(() => text(row)).toContain('1 of 1');
    expect(await text(detail(page))).toContain('<i>blue</i>');
    await expectAccessible(page);
    await button(detail(page), 'Disable').click();
    await expect.poll(() => text(row)).toContain('disabled');
    await button(detail(page), 'Enable').click();
    await expect.poll(() => text(row)).toContain('enabled');
    await button(detail(page), 'Delete the endpoint').click();
    await button(detail(page), 'Cancel').click();
    await button(detail(page), 'Delete the endpoint').click();
    await button(detail(page), 'Delete it, and end its deliveries').click();
    await expect.poll(() => row.count()).toBe(0);
    expect(await control.expectOk(200, '/webhook-endpoints')).toEqual({ data: [] });
  });

  test('shows the secret on demand, and copies code with it for each framework', async () => {
    const control = await openDashboard();
    const { page } = control;
    const entries = new Set(Object.keys(receiver.exports));
    const { id, secret } = await control.endpoint('http://127.0.0.1:1/');
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.locator(`[data-row="${id}"]`).click();
    await button(detail(page), 'Show').waitFor();
    expect(await text(detail(page))).not.toContain(secret);
    for (const name of ['Express', 'Fastify', 'Hono', 'Next', 'Node']) {
      await page.getByRole('tab', { name, exact: true }).click();
      await button(page, 'Copy the code with the secret').click();
      await expect.poll(() => copied(page)).toContain(`secrets: '${secret}'`);
      const imported = [...(await copied(page)).matchAll(/@hookproof\/receiver([\w/]*)'/g)];
      expect(imported.map(([, entry]) => `.${entry}`).filter((one) => !entries.has(one))).toEqual(
        [],
      );
    }
    await button(detail(page), 'Show').click();
    await expect.poll(() => text(detail(page))).toContain(secret);
  });
});

describeInBrowser('the page of requests', () => {
  test('shows both sides of a request, the step that refused it, and a curl command', async () => {
    const control = await openDashboard({ path: 'requests' });
    const { page, server } = control;
    expect(await text(page.locator('.empty'))).toContain('curl -H "Authorization');
    const { wildcard } = server.world.keys;
    const headers = { authorization: `Bearer ${wildcard}`, 'content-type': 'application/json' };
    const body = '{"workflow":"it\'s"}';
    await send(server.baseUrl, { method: 'POST', path: '/v1/runs?x=1', headers, body });
    await page.locator('[data-row]').click();
    await expect.poll(() => text(detail(page))).toContain('Refused by the step validation');
    await page.getByRole('tab', { name: 'Sent' }).click();
    await expect.poll(() => text(page.getByRole('tabpanel'))).toContain('"workflow": "it\'s"');
    expect(await text(detail(page))).not.toContain(wildcard);
    await expectAccessible(page);
    await page.keyboard.press('c');
    await expect.poll(() => copied(page)).toContain(`'{"workflow":"it'\\''s"}'`);
    expect(await copied(page)).toContain('$HOOKPROOF_KEY');
    await page.getByLabel('Refused by').selectOption('scope');
    await expect.poll(() => page.locator('[data-row]').count()).toBe(0);
  });
});

describeInBrowser('the page of the API', () => {
  test('lists the operations, and sends a call with the chosen key', async () => {
    const { page, server } = await openDashboard({ path: 'api?q=auth/check' });
    await page.locator('[data-row="checkAuth"]').click();
    await detail(page).getByLabel('Key').selectOption('reviewer');
    await button(page, 'Copy curl').click();
    await expect.poll(() => copied(page)).toContain(server.world.keys.reviewer);
    await button(page, 'Try').click();
    await expect.poll(() => text(detail(page).getByRole('status'))).toContain('200');
    await detail(page).getByLabel('Key').selectOption('revoked');
    await button(page, 'Try').click();
    await expect.poll(() => text(detail(page).getByRole('status'))).toContain('401');
    await expectAccessible(page);
  });

  test('fills ids of the fixtures in, and leaves braces where none has the value', async () => {
    const { page, server } = await openDashboard({ path: 'api' });
    const rows = page.locator('[data-row]', { hasText: /^GET/ });
    await rows.first().waitFor();
    const failed: string[] = [];
    for (const id of await rows.evaluateAll((all) => all.map((row) => row.dataset['row'] ?? ''))) {
      await page.locator(`[data-row="${id}"]`).click();
      await detail(page).getByRole('button', { name: 'Copy curl' }).waitFor();
      const path = await detail(page).getByLabel('Path').inputValue();
      const response = await fetch(new URL(path, page.url()), {
        headers: { authorization: `Bearer ${server.world.keys.wildcard}` },
      });
      await response.body?.cancel();
      if (response.status === 404 && !path.includes('{')) failed.push(path);
    }
    expect(failed).toEqual([]);
  });
});

describeInBrowser('the page of faults', () => {
  test('injects a fault with one button, and links what it has hit', async () => {
    const control = await openDashboard({ path: 'faults' });
    const { page } = control;
    await control.endpoint('http://127.0.0.1:1/');
    await button(page, 'Inject drop-then-redeliver').click();
    const stop = button(page, 'Stop all faults (1)');
    await stop.waitFor();
    const card = page.locator('.card', { hasText: 'drop-then-redeliver' });
    expect(await text(card)).toContain('armed');
    await control.run();
    await control.idle();
    await expect.poll(() => text(card)).toContain('1 hit');
    await expect.poll(() => stop.count()).toBe(0);
    const { id } = await control.onlyDelivery();
    await card.getByRole('link').click();
    await expect.poll(() => page.url()).toContain(`/deliveries/${id}`);
  });

  test('stops all faults and limits from every page', async () => {
    const control = await openDashboard({ path: 'faults' });
    const { page, server } = control;
    await button(page, 'Inject reset').click();
    await button(page, 'Inject delay').click();
    await button(page, 'Set rate limit').click();
    await button(page, 'Set accounting unavailable').click();
    await button(page, 'Stop all faults (4)').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Runs' }).click();
    await button(page, 'Stop all faults (4)').click();
    await expect.poll(() => page.locator('.stop-all').count()).toBe(0);
    expect(await control.expectOk(200, '/limits')).toMatchObject({ rateLimit: null });
    expect(await control.expectOk(200, '/api-faults')).toEqual({ data: [] });
    expect(await control.expectOk(200, '/delivery-faults')).toEqual({ data: [] });
    const headers = { authorization: `Bearer ${server.world.keys.wildcard}` };
    const options = { method: 'GET', path: '/v1/auth/check', headers } as const;
    expect((await send(server.baseUrl, options)).status).toBe(200);
  });

  test('removes one fault, and shows those of other programs', async () => {
    const control = await openDashboard({ path: 'faults' });
    const { page } = control;
    const match = { operationId: 'checkAuth' };
    await control.expectOk(201, '/api-faults', { match, effect: { status: 404 } });
    const card = page.locator('.card', { hasText: 'checkAuth' });
    await card.waitFor();
    await card.getByRole('button').click();
    await expect.poll(() => card.count()).toBe(0);
  });
});

describeInBrowser('the page of worlds', () => {
  test('opens the only world at once, and offers no choice of worlds', async () => {
    const { page, server } = await openDashboard({ path: 'world' });
    await button(page, 'Copy the key reviewer').waitFor();
    expect(page.url()).toContain(server.world.id);
    await page.getByText('isolated set of sample data').waitFor();
    expect(await page.locator('select.world').count()).toBe(0);
    await page.keyboard.press('Escape');
    await expect.poll(() => detail(page).count()).toBe(0);
  });

  test('copies fixtures, variables, a command and keys of a world', async () => {
    const { page, server } = await openDashboard({ path: 'world' });
    const { keys, fixtures, id } = server.world;
    await page.locator(`[data-row="${id}"]`).click();
    await button(page, 'Copy fixtures.json').click();
    await expect.poll(() => copied(page)).toContain(fixtures.workflowId);
    expect(JSON.parse(await copied(page))).toMatchObject({ keys: { main: keys.wildcard } });
    await button(page, 'Copy .env').click();
    await expect.poll(() => copied(page)).toContain(`HOOKPROOF_KEY=${keys.wildcard}\n`);
    await button(page, 'Copy check command').click();
    await expect.poll(() => copied(page)).toContain('npx hookproof check --base-url');
    await button(page, 'Copy the key reviewer').click();
    await expect.poll(() => copied(page)).toBe(keys.reviewer);
    await page.getByRole('tab', { name: 'Fixtures' }).click();
    expect(await text(page.getByRole('tabpanel'))).toContain(fixtures.agentId);
    await expectAccessible(page);
  });

  test('creates and revokes keys, and creates and deletes worlds', async () => {
    const control = await openDashboard({ path: 'world' });
    const { page } = control;
    await page.getByLabel('Label of the new world').fill('<u>mine</u>');
    await button(page, 'New world').click();
    await expect.poll(() => text(detail(page))).toContain('<u>mine</u>');
    await page.getByLabel('run:write', { exact: true }).check();
    await button(page, 'Create key').click();
    const keys = page.locator('.keys li');
    await expect.poll(() => keys.count()).toBe(7);
    await keys
      .last()
      .getByRole('button', { name: /^Revoke/ })
      .click();
    await button(page, 'Revoke it').click();
    await expect.poll(() => text(keys.last())).toContain('revoked');
    await button(page, 'Delete the world').click();
    await button(page, 'Delete it with everything in it').click();
    await expect.poll(() => page.locator('[data-row]').count()).toBe(1);
  });
});

describeInBrowser('the page of requests of a world', () => {
  test('has only the requests with a key of the world, also new ones', async () => {
    const control = await openDashboard({ path: 'requests' });
    const { page, server } = control;
    const other = await control.expectOk<World>(201, '/worlds', { label: 'other' });
    const called = async (path: string, key: string): Promise<void> => {
      const headers = { authorization: `Bearer ${key}` };
      await send(server.baseUrl, { method: 'GET', path, headers });
    };
    await called('/v1/templates', server.world.keys.wildcard);
    await called('/v1/agents', other.keys.wildcard);
    const paths = () => page.locator('[data-row] .name').allTextContents();
    await expect.poll(paths).toEqual(['GET /v1/agents', 'GET /v1/templates']);
    await page.getByLabel('World').selectOption('other');
    await expect.poll(paths).toEqual(['GET /v1/agents']);
    await called('/v1/templates', server.world.keys.wildcard);
    await called('/v1/auth/check', other.keys.otherTenant);
    await expect.poll(paths).toEqual(['GET /v1/auth/check', 'GET /v1/agents']);
    await page.getByLabel('World').selectOption('All worlds');
    await expect.poll(paths).toHaveLength(4);
  });
});

describeInBrowser('a text from outside', () => {
  test('shows control characters, and reorders nothing beside it', async () => {
    const control = await openDashboard({ path: 'world' });
    const { page } = control;
    const label = 'safe\u202Egnp.exe\u2066\u001B[8m';
    await control.expectOk(201, '/worlds', { label });
    const shown = String.raw`safe\u202egnp.exe\u2066\u001b[8m`;
    await page.locator('[data-row]', { hasText: shown }).waitFor();
    await expect
      .poll(() => page.getByLabel('World', { exact: true }).locator('option').allTextContents())
      .toContain(shown);
    expect(await page.content()).not.toMatch(/[\u202E\u2066]/);
    const row = page.locator('[data-row]', { hasText: shown });
    const isolation = await row.evaluate((element) =>
      [element, ...element.querySelectorAll('span')].map(
        (one) => getComputedStyle(one).unicodeBidi,
      ),
    );
    expect(new Set(isolation)).toEqual(new Set(['isolate']));
  });
});

describeInBrowser('every page', () => {
  test.each([
    ['runs', 390],
    ['endpoints/new', 390],
    ['requests', 390],
    ['api/startRun', 390],
    ['faults', 390],
    ['world', 390],
    ['faults', 900],
  ] as const)('%s fits %i pixels', async (path, width) => {
    const { page } = await openDashboard({ path, viewport: { width, height: 844 } });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  });
});

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { startControlled } from '../lab/control/control-client.ts';
import { listenAt, statuses } from '../events/endpoint-listener.ts';
import { expectAccessible } from '../../expect-accessible.ts';
import { describeInBrowser, openDashboard, openPage, rowOf } from './browser.ts';
import type { OpenedDashboard } from './browser.ts';

/** The row that has the focus. */
function focusedRow(page: Page): Promise<string | null> {
  return page.evaluate(() => document.activeElement?.getAttribute('data-row') ?? null);
}

/** A dashboard with three deliveries, and their ids from the newest. */
async function withRows(): Promise<OpenedDashboard & { readonly ids: readonly string[] }> {
  const opened = await openDashboard();
  await opened.endpoint((await listenAt()).url);
  for (let made = 0; made < 3; made += 1) {
    await opened.run();
    await opened.advance(1_000);
  }
  const ids = (await opened.deliveries('?order=newest')).map(({ id }) => id);
  await expect.poll(() => opened.page.locator('[data-row]').count()).toBe(3);
  return { ...opened, ids };
}

describeInBrowser('the frame of the dashboard', () => {
  test('moves the token from its address into the tab', async () => {
    const { page, server } = await openDashboard();
    expect(page.url()).toBe(server.dashboardUrl.replace(/#.*/, ''));
    await page.reload();
    await page.getByText('live', { exact: true }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
  });

  test('asks for the token if the address has none, and takes a pasted address', async () => {
    const control = await startControlled();
    const { page } = await openPage(control);
    await page.evaluate(() => sessionStorage.clear());
    await page.reload();
    await expectAccessible(page);
    await page.getByLabel('Control token').fill(control.server.dashboardUrl);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('live', { exact: true }).waitFor();
  });

  test('says when the server refuses the token', async () => {
    const control = await startControlled();
    const { page } = await openPage(control);
    await page.evaluate(() => sessionStorage.clear());
    await page.reload();
    await page.getByLabel('Control token').fill('hpc_wrong');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('The server refused the token.').waitFor();
  });

  test('names an old token after a restart, an unknown id, and a server that does not respond', async () => {
    const control = await startControlled();
    const { page } = await openPage(control, { path: 'deliveries/dlv_x' });
    await page.getByText('No delivery has this id.', { exact: true }).waitFor();
    await control.server.close();
    await page.getByRole('button', { name: 'Start run' }).click();
    await page.getByText('The server does not respond. Is hookproof serve running?').waitFor();
    const port = Number(new URL(control.server.baseUrl).port);
    const { server } = await startControlled({ port });
    const restarted = page.getByRole('heading', { name: 'The server was restarted' });
    await restarted.waitFor();
    await page.reload();
    await restarted.waitFor();
    await expectAccessible(page);
    await page.getByLabel('Control token').fill(server.dashboardUrl);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('No delivery has this id.', { exact: true }).waitFor();
  });

  test('names an old token when the page is reloaded after a restart', async () => {
    const control = await startControlled();
    const { page } = await openPage(control);
    await control.server.close();
    await startControlled({ port: Number(new URL(control.server.baseUrl).port) });
    await page.reload();
    await page.getByRole('heading', { name: 'The server was restarted' }).waitFor();
  });

  test('on a phone the bar is one row, with a menu, and each target is large enough', async () => {
    const opened = await openDashboard({ viewport: { width: 390, height: 844 } });
    const { page } = opened;
    await opened.endpoint((await listenAt(statuses(400))).url);
    for (let made = 0; made < 20; made += 1) await opened.run();
    await page.locator('[data-row]').first().waitFor();
    const bar = page.locator('.top');
    expect((await bar.boundingBox())?.height).toBeLessThan(60);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('group', { name: 'Virtual clock' }).waitFor();
    const small = await page
      .locator('button, a, select, input')
      .evaluateAll((targets) =>
        targets
          .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44)
          .map((one) => one.outerHTML),
      );
    expect(small).toEqual([]);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'More' }).click();
    const toolbar = page.getByRole('navigation', { name: 'Status' });
    const before = await toolbar.boundingBox();
    await page.locator('.pane').evaluate((pane) => pane.scrollTo(0, 400));
    expect(await toolbar.boundingBox()).toEqual(before);
  });

  test.each([320, 390])(
    'on a phone of %i pixels, every page and filter is in view, also while a fault is armed',
    async (width) => {
      const opened = await openDashboard({ viewport: { width, height: 844 } });
      const { page } = opened;
      await opened.endpoint((await listenAt(statuses(400))).url);
      await opened.run();
      await opened.idle();
      await opened.expectOk(201, '/delivery-faults', { name: 'delay' });
      await page.getByRole('button', { name: 'Stop all faults (1)' }).waitFor();
      await page.getByRole('button', { name: 'Redeliver all failed' }).waitFor();
      const cut = await page
        .locator('.rail a, .toolbar :is(a, button), .top :is(a, button, input)')
        .evaluateAll((targets) =>
          targets
            .filter((one) => one.checkVisibility())
            .filter((one) => {
              const { left, right } = one.getBoundingClientRect();
              return left < 0 || right > innerWidth || one.scrollWidth > one.clientWidth + 1;
            })
            .map((one) => one.outerHTML),
        );
      expect(cut).toEqual([]);
    },
  );

  test('on a phone, rows of deliveries and runs show which run they are of', async () => {
    const opened = await openDashboard({ viewport: { width: 390, height: 844 } });
    const { page, server } = opened;
    await opened.endpoint((await listenAt()).url);
    const { id } = await opened.run();
    await opened.idle();
    const end = id.slice(-6);
    const row = rowOf(page, (await opened.onlyDelivery()).id);
    await row.getByText(server.world.fixtures.workflowSlug).waitFor();
    await row.getByText(end).waitFor();
    await page.getByRole('link', { name: 'Runs' }).click();
    await rowOf(page, id).getByText(end).waitFor();
  });

  test('starts a run, and sends a test event', async () => {
    const opened = await openDashboard();
    const { page } = opened;
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('There is no enabled endpoint').waitFor();
    const { url } = await opened.endpoint((await listenAt()).url);
    await page.getByRole('button', { name: 'Start run' }).click();
    await page.getByText(/^Run exec_\w+ started\.$/).waitFor();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText(`sent to ${url}.`).waitFor();
    await expect.poll(() => page.locator('[data-row]').count()).toBe(2);
    const [, sentTest] = await opened.deliveries();
    expect(sentTest).toMatchObject({ runId: null });
    await rowOf(page, sentTest?.id ?? '')
      .getByText('test event')
      .waitFor();
  });

  test('starts a run by a scenario with an output of the choice of the user, and again, changed', async () => {
    const opened = await openDashboard();
    const { page, server } = opened;
    await opened.endpoint((await listenAt()).url);
    await page.getByRole('button', { name: 'Choose what to start' }).click();
    const form = page.getByRole('dialog', { name: 'Start a run' });
    await form.getByLabel('Scenario').selectOption('duplicates');
    await form.getByText('each event twice at the same moment').waitFor();
    await form.getByLabel('Automation').selectOption(server.world.fixtures.agentSlug);
    await form.getByRole('textbox', { name: /^Output/ }).fill('{');
    await form.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText(/^The output must be JSON/).waitFor();
    await form.getByRole('textbox', { name: /^Output/ }).fill('{"total":42}');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText(/^Run exec_\w+ started\.$/).waitFor();
    await opened.advance(10_000);
    const deliveries = await opened.deliveries();
    expect(deliveries.map(({ attempts }) => attempts.length)).toEqual(Array(8).fill(1));
    await page.locator('.lane').getByText('completed').waitFor();
    await page.getByRole('button', { name: 'Again, changed' }).click();
    expect(await form.getByRole('textbox', { name: /^Output/ }).inputValue()).toContain(
      '"total": 42',
    );
    expect(await form.getByLabel('Automation').inputValue()).toBe(server.world.fixtures.agentId);
  });

  test('sends an output that is too large for an event', async () => {
    const opened = await openDashboard();
    const { page } = opened;
    await opened.endpoint((await listenAt()).url);
    await page.getByRole('button', { name: 'Choose what to start' }).click();
    const form = page.getByRole('dialog', { name: 'Start a run' });
    await form.getByLabel('Scenario').selectOption('omitted-output');
    await form.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText(/^Run exec_\w+ started\.$/).waitFor();
    await opened.advance(10_000);
    const { data } = await opened.expectOk<{ data: { payload: string }[] }>(200, '/events');
    expect(data.at(-1)?.payload).toContain('"outputOmitted":true');
  });

  test('sends a scenario to one endpoint only, and its run is in the API', async () => {
    const opened = await openDashboard();
    const { page, server } = opened;
    const chosen = await listenAt();
    const other = await listenAt();
    await opened.endpoint(other.url);
    const { id: endpointId } = await opened.endpoint(chosen.url);
    const { id: worldId } = await opened.expectOk<{ id: string }>(201, '/worlds', {});
    await opened.endpoint('http://127.0.0.1:1/', { worldId });
    await page.getByRole('button', { name: 'Choose what to start' }).click();
    const form = page.getByRole('dialog', { name: 'Start a run' });
    await form.getByText('every enabled endpoint (2)').waitFor({ state: 'attached' });
    await form.getByLabel('Scenario').selectOption('gap');
    await form.getByLabel('Endpoint').selectOption(chosen.url);
    await form.getByText('the server makes a run that sends nothing').waitFor();
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Start', exact: true }).click();
    await chosen.arrived(3);
    const deliveries = await opened.deliveries();
    expect(deliveries.map((one) => one.endpointId)).toEqual(Array(4).fill(endpointId));
    expect(deliveries.map(({ attempts }) => attempts.length)).toEqual([1, 0, 1, 1]);
    expect(other.arrivals).toEqual([]);
    await opened.advance(86_400_000);
    await chosen.arrived(4);
    const response = await fetch(`${server.baseUrl}/v1/runs/${deliveries[0]?.runId}`, {
      headers: { authorization: `Bearer ${server.world.keys.wildcard}` },
    });
    expect(await response.json()).toMatchObject({ status: 'completed', output: { total: 4711 } });
    await expect
      .poll(() => page.locator('.lane > li').allTextContents())
      .toEqual([
        expect.stringMatching(/^pending.*run\.created204/),
        expect.stringMatching(/^running.*run\.status_changed204/),
        expect.stringMatching(/^finalizing.*run\.status_changed204/),
        expect.stringMatching(/^completed.*run\.status_changed204/),
      ]);
  });

  test('sends a changed payload to the endpoint of a delivery', async () => {
    const opened = await openDashboard();
    const { page } = opened;
    const listener = await listenAt();
    await opened.endpoint(listener.url);
    await opened.run();
    await opened.idle();
    await rowOf(page, (await opened.onlyDelivery()).id).click();
    await page.getByRole('button', { name: 'Again, changed' }).click();
    const payload = page.getByRole('dialog').getByLabel('Payload');
    const text = await payload.inputValue();
    await payload.fill(text.replace('"run.created"', '"run.archived"'));
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    const [, second] = await listener.arrived(2);
    expect(second?.body.toString()).toContain('run.archived');
    expect(second?.headers['webhook-id']).not.toBe(listener.arrivals[0]?.headers['webhook-id']);
  });

  test('asks which endpoint gets the test event, if there are several', async () => {
    const opened = await openDashboard();
    const { page } = opened;
    await opened.endpoint('http://127.0.0.1:1/');
    const second = await opened.endpoint('http://127.0.0.1:1/second');
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('dialog').getByRole('button', { name: second.url }).click();
    await expect.poll(() => page.locator('[data-row]').count()).toBe(1);
    expect((await opened.onlyDelivery()).endpointId).toBe(second.id);
  });

  test('advances a virtual clock', async () => {
    const opened = await openDashboard();
    const { page } = opened;
    const clock = page.getByRole('group', { name: 'Virtual clock' });
    await expect.poll(() => clock.textContent()).toContain('00:00:00');
    await clock.getByRole('button', { name: '+1 h' }).click();
    await expect.poll(() => clock.textContent()).toContain('01:00:00');
    await clock.getByRole('button', { name: '+1 min' }).click();
    await expect.poll(() => clock.textContent()).toContain('01:01:00');
    await opened.endpoint((await listenAt(statuses(503, 204))).url);
    await opened.run();
    await opened.idle();
    await clock.getByRole('button', { name: 'To next due' }).click();
    await expect.poll(async () => (await opened.onlyDelivery()).status).toBe('delivered');
  });

  test('shows the rows of one world', async () => {
    const opened = await openDashboard();
    const { page, server } = opened;
    const { id: worldId } = await opened.expectOk<{ id: string }>(201, '/worlds', {
      label: 'nightly',
    });
    await opened.endpoint('http://127.0.0.1:1/', { worldId });
    await opened.endpoint('http://127.0.0.1:1/');
    await opened.run({ worldId });
    await opened.run();
    await expect.poll(() => page.locator('[data-row]').count()).toBe(2);
    await page.getByLabel('World').selectOption({ label: 'nightly' });
    await expect.poll(() => page.locator('[data-row]').count()).toBe(1);
    await page.getByRole('link', { name: 'Runs' }).click();
    expect(page.url()).toBe(`${server.baseUrl}/_dashboard/runs?world=${worldId}`);
  });

  test('keys move the focus by rows, open a row and return to it', async () => {
    const { page, ids } = await withRows();
    await page.keyboard.press('j');
    expect(await focusedRow(page)).toBe(ids[0]);
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    expect(await focusedRow(page)).toBe(ids[2]);
    await page.keyboard.press('k');
    expect(await focusedRow(page)).toBe(ids[1]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Delivery ${ids[1]}` }).waitFor();
    await page.getByRole('tab', { name: 'Sent' }).focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => focusedRow(page)).toBe(ids[1]);
    expect(page.url()).not.toContain('dlv_');
  });

  test('arrows scroll unless a row has the focus, and keys in the search are text', async () => {
    const { page, ids } = await withRows();
    await page.getByRole('link', { name: 'all', exact: true }).focus();
    await page.keyboard.press('ArrowDown');
    expect(await focusedRow(page)).toBeNull();
    await page.keyboard.press('/');
    await page.keyboard.type('jkr?gd');
    expect(await page.getByLabel('Search the list').inputValue()).toBe('jkr?gd');
    await page.keyboard.press('Escape');
    expect(await focusedRow(page)).toBeNull();
    await page.getByLabel('Search the list').fill('');
    await rowOf(page, ids[0] ?? '').waitFor();
  });

  test('letters typed quickly cost one search, and leaving the field searches at once', async () => {
    const { page, ids } = await withRows();
    const type = (...texts: string[]) =>
      page.getByLabel('Search the list').evaluate((field: HTMLInputElement, given) => {
        const addresses: string[] = [];
        const replace = history.replaceState.bind(history);
        history.replaceState = (state, title, url) => {
          addresses.push(String(url));
          replace(state, title, url);
        };
        for (const text of given) {
          field.value = text;
          field.dispatchEvent(new InputEvent('input', { bubbles: true }));
        }
        const before = addresses.length;
        field.dispatchEvent(new FocusEvent('blur'));
        return { before, addresses };
      }, texts);
    expect(await type('n', 'no', 'non', 'none')).toEqual({
      before: 0,
      addresses: ['/_dashboard/deliveries?q=none'],
    });
    await expect.poll(() => page.locator('[data-row]').count()).toBe(0);
    await page.getByLabel('Search the list').fill(ids[1] ?? '');
    await expect.poll(() => page.locator('[data-row]').count()).toBe(1);
  });

  test('keys open pages and the help, and redeliver the open delivery', async () => {
    const opened = await withRows();
    const { page, ids } = opened;
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.getByRole('heading', { name: 'World', level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await rowOf(page, ids[0] ?? '').click();
    await page.getByRole('tab').first().waitFor();
    await page.keyboard.press('r');
    await expect
      .poll(async () =>
        (await opened.deliveries()).reduce((sum, { attempts }) => sum + attempts.length, 0),
      )
      .toBe(4);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(page.url()).toContain(ids[0]);
  });
});

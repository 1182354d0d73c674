import { expect, test } from 'vitest';

import { listenAt, statuses } from '../platform/sender/endpoint-listener.ts';
import { describeInBrowser, openDashboard } from './browser.ts';
import type { OpenedDashboard } from './browser.ts';

/** A dashboard with one delivery that got these statuses. */
async function withDelivery(...script: number[]): Promise<OpenedDashboard & { id: string }> {
  const opened = await openDashboard();
  const { url } = await listenAt(statuses(...script));
  await opened.endpoint(url);
  await opened.run();
  await opened.idle();
  const { id } = await opened.onlyDelivery();
  await opened.page.locator(`[data-row="${id}"]`).waitFor();
  return { ...opened, id };
}

describeInBrowser('the page of deliveries', () => {
  test('shows a delivery as it happens, and both sides of each attempt', async () => {
    const { page, id } = await withDelivery(401);
    const row = page.locator(`[data-row="${id}"]`);
    await expect.poll(() => row.textContent()).toContain('401 · not retried');
    await row.click();
    expect(page.url()).toContain(`/_dashboard/deliveries/${id}`);
    const panel = page.getByRole('tabpanel');
    await expect.poll(() => panel.textContent()).toContain('Set the secret of the app');
    await page.getByRole('tab', { name: 'Sent' }).click();
    expect(await panel.textContent()).toContain('webhook-signature');
    expect(await panel.textContent()).toContain('"type": "run.created"');
    await page.getByRole('tab', { name: 'Came back' }).click();
    expect(await panel.textContent()).toContain('401');
  });
});

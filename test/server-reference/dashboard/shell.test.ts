import { expect, test } from 'vitest';

import { describeInBrowser, expectAccessible, openDashboard } from './browser.ts';

describeInBrowser('the dashboard', () => {
  test('moves the token from its address into the tab', async () => {
    const { page, server } = await openDashboard();
    expect(page.url()).toBe(server.dashboardUrl.replace(/#.*/, ''));
    await page.reload();
    await page.getByText('live', { exact: true }).waitFor();
  });

  test.each(['light', 'dark'] as const)('is accessible in the %s theme', async (colorScheme) => {
    const { page } = await openDashboard({ context: { colorScheme } });
    await expectAccessible(page);
  });
});

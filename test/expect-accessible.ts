import axeCore from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Fails the test if the page breaks a rule of accessibility that axe can check. */
export async function expectAccessible(page: Page): Promise<void> {
  // A script of the test is not bound by the policy of the page.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeCore.source);
  const violations = await page.evaluate(async () => {
    const { violations: found } = await (
      globalThis as unknown as { axe: typeof axeCore }
    ).axe.run();
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  });
  expect(violations).toEqual([]);
}

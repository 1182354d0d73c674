// Makes the pictures of the pages: node test/dist/tools/pictures/programs/pictures.js. Chromium is the one of the machine, or that of CHROMIUM.
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { chromium } from 'playwright-core';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';

import { openDashboard } from './dashboard-page.ts';
import { NOW } from './moment.ts';
import { oneCausePage, reportPage } from './report-page.ts';

const FOLDER = new URL('../../../../../docs/pictures/', import.meta.url);
const THEMES = ['light', 'dark'] as const;
const SIZE = { width: 1000, height: 985 };

await mkdir(FOLDER, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const html = await reportPage();
  await picture('report', (page) => page.setContent(html));
  const oneCause = await oneCausePage();
  await picture('report-one-cause', (page) => page.setContent(oneCause), { ...SIZE, height: 800 });
  const dashboard = await openDashboard();
  await picture('dashboard', dashboard.show);
  await dashboard.close();
} finally {
  await browser.close();
}

/** Takes a picture of a page in each theme, at the moment of all pictures. */
async function picture(
  name: string,
  open: (page: Page) => Promise<unknown>,
  viewport = SIZE,
): Promise<void> {
  for (const colorScheme of THEMES) {
    const context = await browser.newContext({
      colorScheme,
      viewport,
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
      locale: 'en-US',
    });
    const page = await context.newPage();
    await page.clock.setFixedTime(NOW);
    await open(page);
    const path = fileURLToPath(new URL(`${name}-${colorScheme}.png`, FOLDER));
    await writeFile(path, withoutFilters(await page.screenshot()));
    process.stdout.write(`wrote docs/pictures/${name}-${colorScheme}.png\n`);
    await context.close();
  }
}

/** Compresses text a third better than the filters of the browser do. */
function withoutFilters(png: Buffer): Buffer {
  return PNG.sync.write(PNG.sync.read(png), { filterType: 0, deflateStrategy: 0, colorType: 2 });
}

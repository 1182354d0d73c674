import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

const SOURCE = fileURLToPath(new URL('../../../server-reference/src', import.meta.url));
const OWN_TIME =
  /(?<![.\w])(setTimeout|setInterval)\b|\bDate\.now\b|\bperformance\.|\bhrtime\b|\bnew Date(\(\)|;)|node:(timers|perf_hooks)/;

/**
 * What has to happen although a virtual clock stands still: the comments that keep a stream open, and the end of a limit
 * or a fault of a client that died.
 */
const REAL_TIME = ['lab/activity/event-stream.ts', 'lab/control/expiries.ts'];

test('only the clock reads the time or sets a timer', () => {
  const files = readFiles();
  const clockFiles = files.filter(({ path }) => path.startsWith('clock/'));
  const others = files.filter(({ path }) => !path.startsWith('clock/'));
  expect(clockFiles.filter(({ text }) => OWN_TIME.test(text)).length).toBeGreaterThan(0);
  expect(
    others
      .filter(({ text }) => OWN_TIME.test(text))
      .map(({ path }) => path)
      .toSorted(),
  ).toEqual(REAL_TIME);
});

function readFiles(): { path: string; text: string }[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({
      path,
      text: readFileSync(join(SOURCE, path), 'utf8'),
    }));
}

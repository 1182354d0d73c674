import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { ROOT } from '../compiled-program.ts';

const CYCLE = 'import(no-cycle)';
const GLOBAL = 'eslint(no-restricted-globals)';
const IMPORT = 'eslint(no-restricted-imports)';
const NONE = 'no rule';

/** A file, what it contains, and the rule of `.oxlintrc.json` that it breaks. */
const FILES = [
  // No cycle, type imports counted.
  ['bin/a.ts', "import type { B } from './b.ts'; export interface A { b: B }", CYCLE],
  ['bin/b.ts', "import type { A } from './a.ts'; export interface B { a: A }", CYCLE],
  // Only entry files use process. The clock reads the time that all processes of a machine share.
  ['bin/c.ts', 'export const { env } = process;', NONE],
  ['receiver/examples/koa/main.ts', 'export const { env } = process;', NONE],
  ['receiver/src/clock.ts', 'export const now = process.hrtime();', NONE],
  ['receiver/src/a.ts', 'export const { env } = globalThis.process;', GLOBAL],
  ['server-reference/src/api/a.ts', 'export const { env } = process;', GLOBAL],
  ['server-reference/src/events/a.ts', "export { env } from 'node:process';", IMPORT],
  ['server-reference/src/lab/a.ts', "export { env } from 'node:process';", IMPORT],
  ['spec/src/a.ts', "export { env } from 'node:process';", IMPORT],
  // One file imports @vitest/runner.
  ['conformance/src/engine/engine.ts', "export { startTests } from '@vitest/runner';", NONE],
  ['conformance/src/select/a.ts', "export { startTests } from '@vitest/runner';", IMPORT],
  ['conformance/proof/a.ts', "export { startTests } from '@vitest/runner';", IMPORT],
  // The receiver uses Node.js behind adapters and stores only.
  ['receiver/src/adapters/a.ts', "export { once } from 'node:events';", NONE],
  ['receiver/src/stores/sqlite/a.ts', "export { once } from 'node:events';", NONE],
  ['receiver/src/order/a.ts', "export { once } from 'node:events';", IMPORT],
  ['receiver/src/verify-web/a.ts', "export { once } from 'node:events';", IMPORT],
  // One file of the receiver compares digests.
  ['receiver/src/verify/signing-key.ts', "export { timingSafeEqual } from 'node:crypto';", NONE],
  ['receiver/src/verify/b.ts', "import { timingSafeEqual } from 'node:crypto';", IMPORT],
  ['receiver/src/sources/b.ts', "import { timingSafeEqual } from 'node:crypto';", IMPORT],
  ['receiver/src/stores/sqlite/c.ts', "import { timingSafeEqual } from 'node:crypto';", IMPORT],
  // The contract imports no companion, also not for a type or later.
  ['server-reference/src/api/runs/a.ts', "export { A } from '../../companions/a.ts';", IMPORT],
  ['server-reference/src/clock/a.ts', "export type { A } from '../companions/a.ts';", IMPORT],
  [
    'server-reference/src/http/a.ts',
    "export const a = () => import('../companions/a.ts');",
    IMPORT,
  ],
  ['server-reference/src/lab/control/a.ts', "export { A } from '../../companions/a.ts';", NONE],
  ['server-reference/src/routes.ts', "export { A } from './companions/a.ts';", NONE],
  // Clock, store and events know no operation.
  ['server-reference/src/events/b.ts', "export type { A } from '../api/runs/a.ts';", IMPORT],
  ['server-reference/src/store/b.ts', "export type { A } from '../http/a.ts';", IMPORT],
  ['server-reference/src/http/b.ts', "export type { A } from '../api/a.ts';", NONE],
  // Only the lab and the entry files import the lab.
  ['server-reference/src/app.ts', "export { A } from './lab/a.ts';", IMPORT],
  ['server-reference/src/companions/a.ts', "export { A } from '../lab/a.ts';", IMPORT],
  ['server-reference/src/store/a.ts', "export type { A } from '../lab/a.ts';", IMPORT],
  ['server-reference/src/lab/world/a.ts', "export { A } from '../../lab/a.ts';", NONE],
  ['server-reference/src/server.ts', "export { A } from './lab/a.ts';", NONE],
] as const;

const broken = brokenRules();

/** The rules that the files break in a folder of their own, by file. */
function brokenRules(): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'hookproof-lint-'));
  cpSync(join(ROOT, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  for (const [path, text] of FILES) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const oxlint = join(ROOT, 'node_modules/.bin/oxlint');
  const { stdout } = spawnSync(oxlint, ['--format', 'json'], { cwd: folder, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  const { diagnostics }: { diagnostics: { code: string; filename: string }[] } = JSON.parse(stdout);
  const found = diagnostics.filter(({ code }) => [CYCLE, GLOBAL, IMPORT].includes(code));
  return new Map(found.map(({ code, filename }) => [filename, code]));
}

test.each(FILES)('%s with %s breaks %s', (path, _text, rule) => {
  expect(broken.get(path) ?? NONE).toBe(rule);
});

/**
 * Kills processes that handle events, and prints what came of it. Exit code 1: something was lost or
 * out of order. Arguments: name of the store, number of kills (default 1000), seed (default 1), URL of
 * an empty database (not for sqlite), number of processes (default 2).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { killHandlers } from './kill-handlers.ts';

const [store = 'sqlite', kills = '1000', seed = '1', url = '', processes = '2'] =
  process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), 'hookproof-kills-'));
const { lost, violations, ...counts } = await killHandlers({
  store,
  address: url === '' ? path.join(folder, 'events.db') : url,
  journal: path.join(folder, 'journal'),
  kills: Number(kills),
  seed: Number(seed),
  processes: Number(processes),
});
const summary = { store, seed, ...counts, lost: lost.length, violations: violations.length };
const found = [...lost.map((id) => `${id} was lost`), ...violations].slice(0, 20);
process.stdout.write([JSON.stringify(summary), ...found, ''].join('\n'));
rmSync(folder, { recursive: true });
process.exitCode = lost.length + violations.length === 0 ? 0 : 1;

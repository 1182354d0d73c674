import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { sqliteStore } from '@hookproof/receiver/sqlite';
import { expect, test } from 'vitest';

import { loadDriver } from '../../../../receiver/src/stores/sqlite/driver.ts';
import { compiledProgram, ROOT } from '../../../compiled-program.ts';
import { emptyFolder } from '../../../empty-folder.ts';
import { countPlaces } from './count-places.ts';
import { runScenario } from './programs/scenario.ts';
import { linesOf, reviewCrash } from './review-crash.ts';

const program = (name: string) => compiledProgram(new URL(`programs/${name}.ts`, import.meta.url));

/** Makes a copy of the package whose driver ends the process, with the program beside it. Returns its path. */
function programWithKillingDriver(): string {
  const folder = emptyFolder();
  const copy = join(folder, 'node_modules', '@hookproof', 'receiver');
  cpSync(join(ROOT, 'receiver', 'dist'), join(copy, 'dist'), { recursive: true });
  cpSync(join(ROOT, 'receiver', 'package.json'), join(copy, 'package.json'));
  const driver = join(copy, 'dist', 'stores', 'sqlite', 'driver.js');
  renameSync(driver, join(dirname(driver), 'original-driver.js'));
  cpSync(program('killing-driver'), driver);
  const optional = join('node_modules', '@photostructure');
  symlinkSync(join(ROOT, optional), join(folder, optional));
  for (const name of ['scenario', 'sqlite']) cpSync(program(name), join(folder, `${name}.js`));
  return join(folder, 'sqlite.js');
}

/** Returns what a file holds of each event. */
async function eventsIn(file: string): Promise<readonly { id: string; state: string }[]> {
  const database = (await loadDriver())(file);
  const rows = database.prepare('SELECT id, state FROM hookproof_events ORDER BY id').all();
  database.close();
  return rows.map(({ id, state }) => ({ id: String(id), state: String(state) }));
}

/** Kills one process at a place, goes on where it ended, and returns whether it was killed. */
async function crash(app: string, place: number): Promise<boolean> {
  const folder = join(dirname(app), `place-${place}`);
  mkdirSync(folder);
  const [file, journal] = [join(folder, 'events.db'), join(folder, 'journal')];
  writeFileSync(journal, '');
  const child = spawn(process.execPath, [app, file, journal], {
    env: { ...process.env, KILL_AT: String(place) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code, signal] = await once(child, 'exit');
  expect(signal ?? code, `place ${place}`).toBe(signal === null ? 0 : 'SIGKILL');
  const killed = linesOf(readFileSync(journal, 'utf8'));
  await runScenario(sqliteStore({ file }), killed, (line) => {
    appendFileSync(journal, `${JSON.stringify(line)}\n`);
  });
  const after = linesOf(readFileSync(journal, 'utf8')).slice(killed.length);
  expect(reviewCrash(killed, after, await eventsIn(file)), `place ${place}`).toEqual([]);
  return signal !== null;
}

test('a process with SQLite that is killed at each statement loses nothing, and handles nothing else again', async () => {
  const app = programWithKillingDriver();
  // The scenario has about four hundred.
  expect(await countPlaces((place) => crash(app, place))).toBeGreaterThan(250);
});

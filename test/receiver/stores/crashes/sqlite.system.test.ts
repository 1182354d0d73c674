import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
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
import { runScenario } from './programs/scenario.ts';
import { linesOf, reviewCrash } from './review-crash.ts';

const program = (name: string) => compiledProgram(new URL(`programs/${name}.ts`, import.meta.url));

/** Makes a copy of the package whose driver copies the file, with the program beside it. Returns its path. */
function programWithCopyingDriver(): string {
  const folder = emptyFolder();
  const copy = join(folder, 'node_modules', '@hookproof', 'receiver');
  cpSync(join(ROOT, 'receiver', 'dist'), join(copy, 'dist'), { recursive: true });
  cpSync(join(ROOT, 'receiver', 'package.json'), join(copy, 'package.json'));
  const driver = join(copy, 'dist', 'stores', 'sqlite', 'driver.js');
  renameSync(driver, join(dirname(driver), 'original-driver.js'));
  cpSync(program('copying-driver'), driver);
  const optional = join('node_modules', '@photostructure');
  symlinkSync(join(ROOT, optional), join(folder, optional));
  for (const name of ['scenario', 'sqlite']) cpSync(program(name), join(folder, `${name}.js`));
  return join(folder, 'sqlite.js');
}

/**
 * Runs the scenario in processes, one after the other: which calls come together and share a commit differs. Returns a
 * folder for each state of its files that a kill could leave.
 */
async function crashedFolders(): Promise<readonly string[]> {
  const app = programWithCopyingDriver();
  const folders: string[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const folder = join(dirname(app), `files-${round}`);
    const places = join(dirname(app), `places-${round}`);
    mkdirSync(folder);
    const [file, journal] = [join(folder, 'events.db'), join(folder, 'journal')];
    writeFileSync(journal, '');
    const child = spawn(process.execPath, [app, file, journal], {
      env: { ...process.env, PLACES: places },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    expect(await once(child, 'exit')).toEqual([0, null]);
    folders.push(...readdirSync(places).map((place) => join(places, place)));
  }
  return folders;
}

/** Returns what a file holds of each event. */
async function eventsIn(file: string): Promise<readonly { id: string; state: string }[]> {
  const database = (await loadDriver())(file);
  const rows = database.prepare('SELECT id, state FROM hookproof_events ORDER BY id').all();
  database.close();
  return rows.map(({ id, state }) => ({ id: String(id), state: String(state) }));
}

/** Goes on where a process ended. Returns what is wrong. */
async function goOn(folder: string): Promise<readonly string[]> {
  const [file, journal] = [join(folder, 'events.db'), join(folder, 'journal')];
  const killed = linesOf(readFileSync(journal, 'utf8'));
  await runScenario(sqliteStore({ file }), killed, (line) => {
    appendFileSync(journal, `${JSON.stringify(line)}\n`);
  });
  const after = linesOf(readFileSync(journal, 'utf8')).slice(killed.length);
  return reviewCrash(killed, after, await eventsIn(file));
}

const ROUNDS = 3;
/** Most of the time is waiting: an event that was in hand at the end of its process is handled again after a second. */
const AT_ONCE = 8;

test('what a kill at any statement leaves of SQLite loses nothing, and nothing else is handled again', async () => {
  const folders = await crashedFolders();
  // A process leaves about 38 on a busy machine.
  expect(folders.length).toBeGreaterThan(60);
  const next = folders.values();
  const lane = async (): Promise<void> => {
    for (const folder of next) expect(await goOn(folder), folder).toEqual([]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
});

/** Runs the scenario on SQLite: `sqlite.js FILE JOURNAL`. `killing-driver.ts` ends it. */
import { openSync, writeSync } from 'node:fs';

import { sqliteStore } from '@hookproof/receiver/sqlite';

import { runScenario } from './scenario.ts';

const [file = '', path = ''] = process.argv.slice(2);
const journal = openSync(path, 'a');
const note = (line: object): void => void writeSync(journal, `${JSON.stringify(line)}\n`);
await runScenario(sqliteStore({ file }), [], note);

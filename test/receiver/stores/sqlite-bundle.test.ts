import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { build } from 'esbuild';
import { expect, it } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';

const PROGRAM = `
const { createReceiver } = require(${JSON.stringify(pathOf('@hookproof/receiver'))});
const { sqliteStore } = require(${JSON.stringify(pathOf('@hookproof/receiver/sqlite'))});
const receiver = createReceiver({ secrets: 'whsec_x', store: sqliteStore({ file: 'events.db' }) });
receiver.start().catch(({ code, message }) => console.log(code, message));
`;

function pathOf(name: string): string {
  return createRequire(import.meta.url).resolve(name);
}

it.each(['cjs', 'esm'] as const)(
  'the SQLite store in a bundle as %s names the option of the bundler',
  async (format) => {
    const folder = emptyFolder();
    const outfile = join(folder, format === 'cjs' ? 'bundle.cjs' : 'bundle.mjs');
    await build({
      stdin: { contents: PROGRAM, resolveDir: folder },
      bundle: true,
      platform: 'node',
      format,
      outfile,
      logLevel: 'silent',
      external: ['@photostructure/sqlite'],
    });
    const { stdout } = await promisify(execFile)(process.execPath, [outfile], { cwd: folder });
    expect(stdout).toMatch(
      /^store_unavailable The thread of SQLite file .* must run, .* mark @hookproof\/receiver as external\./,
    );
  },
);

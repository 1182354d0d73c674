import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { Argument, Command } from 'commander';

import type { Bench, Row } from './bench.ts';
import { listPage } from './list-page.ts';
import { localCheck } from './local-check.ts';
import { patch } from './patch.ts';
import { pipeline } from './pipeline.ts';
import { NotInstalledError, PEERS } from './processes.ts';
import { receive } from './receive.ts';
import { resolver } from './resolver.ts';
import { sender } from './sender.ts';
import { serveStart } from './serve-start.ts';
import { storeShare } from './store-share.ts';
import { verify } from './verify.ts';

const benches: Readonly<Record<string, Bench>> = {
  verify,
  receive,
  pipeline,
  'store-share': storeShare,
  resolver,
  'list-page': listPage,
  patch,
  sender,
  'local-check': localCheck,
  'serve-start': serveStart,
};

const HEADINGS = ['what', 'measured', 'beside', 'ratio', 'expected', ''];

function table(rows: readonly Row[]): string {
  const cells = rows.map(({ what, measured, beside, ratio, expected }) => {
    const verdict = expected.isMet ? 'met' : 'NOT MET';
    return [what, measured, beside ?? '', ratio?.toFixed(2) ?? '', expected.text, verdict];
  });
  const lines = [HEADINGS, ...cells];
  const widths = HEADINGS.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const padded = lines.map((line) =>
    line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '),
  );
  return padded.map((line) => line.trimEnd()).join('\n');
}

/** Installs the peers from their lock file, if they are not installed. */
function installPeers(): void {
  if (existsSync(new URL('node_modules/', PEERS))) return;
  const path = fileURLToPath(PEERS);
  const { status } = spawnSync('npm', ['ci', '--prefix', path, '--loglevel=error'], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`npm ci failed in ${path}. The benches need their peers.`);
}

const names = Object.keys(benches);
const { args } = new Command('bench')
  .description('Measures speed beside a peer or floor, and prints what is expected.')
  .addArgument(new Argument('[name...]', 'benches to run').choices(names).default(names, 'all'))
  .parse();
installPeers();
console.log(`Node ${process.version}, ${process.platform} ${process.arch}. Trust the ratios.\n`);
let hasFailed = false;
for (const [name, bench] of Object.entries(benches)) {
  if (args.length > 0 && !args.includes(name)) continue;
  console.log(bench.title);
  try {
    console.log(`${table(await bench.run())}\n`);
  } catch (error) {
    if (error instanceof NotInstalledError) {
      console.log(`left out: ${name} (${error.message})\n`);
    } else {
      console.log('It failed:', error, '\n');
      hasFailed = true;
    }
  }
}
// The servers of a failed bench would keep this process running.
if (hasFailed) process.exit(1);

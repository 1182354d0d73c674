import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';

import { addCheck } from './check.ts';
import { addDemo } from './demo.ts';
import { addServe } from './serve.ts';
import { UsageError } from './usage-error.ts';

const USAGE = 2;
const UNEXPECTED = 5;

function version(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return manifest.version;
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
  if (error instanceof UsageError) {
    process.stderr.write(`error: ${error.message}\n`);
    return USAGE;
  }
  const { stack, message } = error instanceof Error ? error : new Error(String(error));
  const known = error instanceof Error && 'code' in error && typeof error.code === 'string';
  process.stderr.write(`error: ${known ? message : (stack ?? message)}\n`);
  return UNEXPECTED;
}

const program = new Command('hookproof')
  .description("An automation platform's webhooks and API: receive them, check them, serve them.")
  .version(version())
  .exitOverride()
  .showHelpAfterError('(add --help for the options and examples)')
  .addHelpText(
    'after',
    `
Examples:
  $ hookproof demo                                   see the whole job done once
  $ hookproof serve                                  the reference server on port 4010
  $ hookproof check --base-url http://127.0.0.1:4010 --key KEY
  $ hookproof check --help                           all that a check can be told`,
  );

addServe(program);
addCheck(program);
addDemo(program);

try {
  await program.parseAsync(process.argv);
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

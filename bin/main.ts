import { readFileSync } from 'node:fs';
import { Command } from 'commander';

import { exitCodeOf, messageOf } from './command-line/errors.ts';
import { addCheck } from './commands/check.ts';
import { addDemo } from './commands/demo.ts';
import { addServe } from './commands/serve.ts';

/** Receives the texts that the command line itself writes: help, version and errors. */
export interface Output {
  readonly writeOut: (text: string) => void;
  readonly writeErr: (text: string) => void;
}

const STANDARD_STREAMS: Output = {
  writeOut: (text) => process.stdout.write(text),
  writeErr: (text) => process.stderr.write(text),
};

const EXAMPLES = `
Examples:
  $ hookproof demo                                   run everything once and write a report
  $ hookproof serve                                  start the reference server on port 4010
  $ hookproof check --base-url http://127.0.0.1:4010 --key KEY
  $ hookproof check --help                           list all options of a command`;

/** Runs the command line to its end and returns its exit code. `argv` begins like `process.argv`. */
export async function run(
  argv: readonly string[],
  output: Output = STANDARD_STREAMS,
): Promise<number> {
  try {
    await createProgram(output).parseAsync(argv);
  } catch (error) {
    output.writeErr(messageOf(error));
    return exitCodeOf(error);
  }
  return Number(process.exitCode ?? 0);
}

/** Returns the program with all its commands, each of which throws its errors. */
export function createProgram(output: Output): Command {
  const program = new Command('hookproof')
    .description('Receives, checks and serves the webhooks and API of an automation platform.')
    .version(version())
    .exitOverride()
    .configureOutput(output)
    .showHelpAfterError('(add --help for the options and examples)')
    .addHelpText('after', EXAMPLES);
  addServe(program);
  addCheck(program);
  addDemo(program);
  return program;
}

function version(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return manifest.version;
}

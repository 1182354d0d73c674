import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { HelpConfiguration } from 'commander';

import { didYouMean } from './command-line/did-you-mean.ts';
import { EXIT_CODE_UNEXPECTED, exitCodeOf, messageOf, UsageError } from './command-line/errors.ts';

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
  $ hookproof demo                run everything once and write a report
  $ hookproof init express        write a receiver into your app, or a new one
  $ hookproof serve               start the reference server on port 4010
  $ hookproof trigger             send the events of a run to your app
  $ hookproof check               check the running server
  $ hookproof check --help        the options of a command`;

/** One line for an option or a command: its description says its choices and its default where they matter. */
const SHORT: HelpConfiguration = {
  subcommandTerm: (command) => command.name(),
  optionDescription: ({ description }) => description,
  argumentDescription: ({ description }) => description,
};

/** Runs the command line to its end and returns its exit code. `argv` begins like `process.argv`. */
export async function run(
  argv: readonly string[],
  output: Output = STANDARD_STREAMS,
): Promise<number> {
  try {
    const program = await createProgram(output, argv[2]);
    for (const command of program.commands) dropEmptyVariables(command, process.env);
    if (argv[2] === 'help') requireCommand(argv[3]);
    await program.parseAsync(argv);
  } catch (error) {
    output.writeErr(messageOf(error));
    return exitCodeOf(error);
  }
  return Number(process.exitCode ?? 0);
}

/** Commander prints the help of all commands for the name of none. */
function requireCommand(name: string | undefined): void {
  if (name === undefined || Object.hasOwn(COMMANDS, name)) return;
  throw new UsageError(
    `help must be followed by a command, got ${name}.${didYouMean(name, Object.keys(COMMANDS))}`,
  );
}

/** A variable that is set to nothing, as by a line of a `.env` file that nobody filled in, counts as not set. */
function dropEmptyVariables({ options }: Command, environment: NodeJS.ProcessEnv): void {
  for (const { envVar = '' } of options) if (environment[envVar] === '') delete environment[envVar];
}

/**
 * Ends the process with 5 for an error that no code catches: Node's own exit code 1 means that a target violates the
 * contract. A run that listens too reports the error itself. A reader that closes its end of a pipe is no error.
 */
export function guardProcess(program: NodeJS.Process, output: Output = STANDARD_STREAMS): void {
  program.on('uncaughtException', (error) => {
    if (program.listenerCount('uncaughtException') > 1) return;
    output.writeErr(messageOf(error));
    program.exit(EXIT_CODE_UNEXPECTED);
  });
  program.stderr.on('error', () => {});
  program.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    output.writeErr(`error: standard output must be writable, got ${error.message}.\n`);
    program.exit(EXIT_CODE_UNEXPECTED);
  });
}

type AddCommand = (program: Command) => void;

/** In the order of the help. A command is loaded when it runs, because the suite takes longer than the server. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  init: async () => (await import('./commands/init/command.ts')).addInit,
  serve: async () => (await import('./commands/serve/command.ts')).addServe,
  trigger: async () => (await import('./commands/trigger/command.ts')).addTrigger,
  redeliver: async () => (await import('./commands/redeliver.ts')).addRedeliver,
  clock: async () => (await import('./commands/clock.ts')).addClock,
  fault: async () => (await import('./commands/fault.ts')).addFault,
  listen: async () => (await import('./commands/listen/command.ts')).addListen,
  inbox: async () => (await import('./commands/inbox/command.ts')).addInbox,
  explain: async () => (await import('./commands/explain/command.ts')).addExplain,
  check: async () => (await import('./commands/check/command.ts')).addCheck,
  mcp: async () => (await import('./commands/mcp/command.ts')).addMcp,
  demo: async () => (await import('./commands/demo.ts')).addDemo,
};

/**
 * Returns the program, whose commands throw their errors.
 *
 * @param name - the only command to load. All are loaded for another word, such as an option
 */
export async function createProgram(output: Output, name: string = ''): Promise<Command> {
  const program = new Command('hookproof')
    .description('Receives, checks and serves the webhooks and API of an automation platform.')
    .version(version(), '-v, --version')
    .exitOverride()
    .configureOutput(output)
    .configureHelp(SHORT)
    .showHelpAfterError('(add --help for the options and examples)')
    .addHelpText('after', EXAMPLES);
  const names = Object.hasOwn(COMMANDS, name) ? [name] : Object.keys(COMMANDS);
  for (const one of names) (await COMMANDS[one]?.())?.(program);
  return program;
}

function version(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return manifest.version;
}

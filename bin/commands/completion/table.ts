import type { Command, Option } from 'commander';

/** What follows an option or a command: nothing, a path, a text that nobody can guess, or one of these words. */
export type Values = 'nothing' | 'paths' | 'text' | readonly string[];

/** An option as a shell completes it. */
export interface CompletedOption {
  /** Such as `--port`. */
  readonly name: string;
  readonly description: string;
  readonly values: Values;
}

/** A command as a shell completes it. */
export interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
  readonly values: Values;
}

/** What an option of this value takes is a path, or can be one. */
const PATHS = /file|folder|command/;

/**
 * Returns the commands of a program with their options, in the order of the help.
 *
 * @param known - the words that the program does not list itself, by the command or by its option: `check --only`
 */
export function completedCommands(
  program: Command,
  known: Readonly<Record<string, readonly string[]>>,
): CompletedCommand[] {
  return program.commands.map((command) => {
    const name = command.name();
    const [argument] = command.registeredArguments;
    return {
      name,
      description: command.description(),
      options: command.options.map((option) => ({
        name: option.long ?? option.short ?? '',
        description: option.description,
        values: known[`${name} ${option.long}`] ?? valuesOf(option),
      })),
      values: known[name] ?? argument?.argChoices ?? (argument === undefined ? 'nothing' : 'paths'),
    };
  });
}

function valuesOf({ argChoices, required, flags }: Option): Values {
  if (argChoices !== undefined) return argChoices;
  if (!required) return 'nothing';
  return PATHS.test(/<(.*)>/.exec(flags)?.[1] ?? '') ? 'paths' : 'text';
}

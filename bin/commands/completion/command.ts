import { Argument } from 'commander';
import type { Command } from 'commander';

import { REPORT_KINDS } from '../check/options/report.ts';
import { SCRIPTS } from './scripts.ts';
import { completedCommands } from './table.ts';

const EXAMPLES = `
The script completes commands, options, scenarios, ids of checks and defects, and files, for hookproof and npx hookproof.

Examples:
  $ eval "$(npx hookproof completion bash)"          in this shell
  $ npx hookproof completion bash >> ~/.bashrc       in every new one
  $ npx hookproof completion zsh >> ~/.zshrc
  $ npx hookproof completion fish > ~/.config/fish/conf.d/hookproof.fish`;

/** Adds `hookproof completion`, which prints a script. The program must have every command. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('Prints the script that completes the commands in bash, zsh or fish.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', EXAMPLES)
    .action(async (shell: keyof typeof SCRIPTS) => {
      const [{ checks }, { defects }] = await Promise.all([
        import('@hookproof/conformance'),
        import('@hookproof/conformance/proof'),
      ]);
      const ids = checks.map(({ id }) => id);
      const known = {
        'check --only': ids,
        'check --list': ids,
        'check --report': REPORT_KINDS.map((kind) => `${kind}=`),
        'serve --defect': defects.map(({ id }) => id),
        clock: ['next'],
        redeliver: ['ended', 'last'],
      };
      process.stdout.write(SCRIPTS[shell](completedCommands(program, known)));
    });
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Argument, InvalidArgumentError } from 'commander';
import type { Command } from 'commander';

import { UsageError } from '../../command-line/errors.ts';
import { nearestOf } from '../../command-line/nearest.ts';
import { openScreen } from '../../command-line/screen.ts';
import type { Screen } from '../../command-line/screen.ts';
import type { AppCommands } from './app-commands.ts';
import { appParts } from './app-files.ts';
import type { AppFile } from './app-files.ts';
import { existingFile, readApp } from './app-folder.ts';
import type { AppFolder } from './app-folder.ts';
import { FRAMEWORKS, frameworksOf, isFramework, NAMES } from './frameworks.ts';
import type { Framework, FrameworkName } from './frameworks.ts';

const EXAMPLES = `
Writes the files of the framework's recipe: the handlers, the receiver, its route, a test, .env.example, and a workflow
for GitHub Actions. The names, and whether they are JavaScript or TypeScript, follow your package.json. A new folder also
gets an app that runs. No file is overwritten and package.json stays as it is: the command says what to add.

Exit codes:
  0 every file is there   2 usage

Examples:
  $ hookproof init                                   the framework in package.json
  $ hookproof init express                           in a new folder, or when package.json names two`;

/** Adds `hookproof init`, which writes what a recipe shows into the app of the current folder. */
export function addInit(program: Command): void {
  program
    .command('init')
    .description('Writes a receiver, a test and a CI workflow into your app, or a new one.')
    .addArgument(
      new Argument('[framework]', 'the framework of the app (default: the one in package.json)')
        .choices(NAMES)
        .argParser(frameworkName),
    )
    .addHelpText('after', EXAMPLES)
    .action((given: FrameworkName | undefined) => init(given, process.cwd(), openScreen()));
}

function frameworkName(given: string): FrameworkName {
  if (isFramework(given)) return given;
  throw new InvalidArgumentError(
    `Did you mean ${nearestOf(given, NAMES)}? It knows ${NAMES.join(', ')}.`,
  );
}

function init(given: FrameworkName | undefined, folder: string, screen: Screen): void {
  const app = readApp(folder);
  const name = given ?? frameworkOf(app);
  const framework: Framework = FRAMEWORKS[name];
  const { files, commands } = appParts(framework, app);
  screen.print(screen.paint.bold(`${name}, as docs/recipes/${framework.page}.md says`));
  const toAdd = files.filter((file) => isToAdd(file, app, folder, screen));
  for (const { name: file, text } of toAdd) {
    screen.print(`\nYour app needs what this ${file} says:\n`);
    for (const line of text.trimEnd().split('\n')) screen.print(line === '' ? '' : `    ${line}`);
  }
  screen.print('\nNext:\n');
  for (const command of nextCommands(commands)) screen.print(`  ${command}`);
  const notes = notesOf(commands, app);
  if (notes.length > 0) screen.print('');
  for (const note of notes) screen.printWords(note, 0);
}

/** Returns the framework that package.json names; without one it is Node.js alone. */
function frameworkOf({ packages, hasManifest }: AppFolder): FrameworkName {
  const [first = 'node', ...others] = frameworksOf(new Set(packages.keys()));
  if (others.length > 0) {
    throw new UsageError(
      `init needs one framework, but package.json has ${[first, ...others].join(' and ')}. Name the one that receives the webhooks: hookproof init ${first}`,
    );
  }
  if (!hasManifest) {
    throw new UsageError(
      `init needs a framework, because this folder has no package.json. Name one of ${NAMES.join(', ')}, such as: hookproof init express`,
    );
  }
  return first;
}

/** Writes a file unless one is there. Returns whether the app still needs what the file says. */
function isToAdd(
  { name, text, isNeeded, isOfNewApps }: AppFile,
  { isNew }: AppFolder,
  folder: string,
  screen: Screen,
): boolean {
  const isForThis = isNew || !isOfNewApps;
  if (!isForThis && !isNeeded) return false;
  const existing = existingFile(folder, name);
  if (existing !== null) {
    const isIncluded = readFileSync(join(folder, existing), 'utf8').includes(text.trim());
    screen.print(
      `  ${screen.paint.dim('is there')}  ${existing}${isIncluded ? '' : ', left alone'}`,
    );
    return isNeeded && !isIncluded;
  }
  if (!isForThis) return true;
  mkdirSync(join(folder, dirname(name)), { recursive: true });
  writeFileSync(join(folder, name), text, { flag: 'wx' });
  screen.print(`  ${screen.paint.green('written')}   ${name}`);
  return false;
}

function nextCommands({ setUp, build, test, secret, start, send }: AppCommands): string[] {
  return [...setUp, ...test, ...build, secret, `${start} &`, ...send];
}

/** What does not work as printed, and why. */
function notesOf({ setUp, start }: AppCommands, app: AppFolder): string[] {
  const { packages, isNew, scripts, testRunner } = app;
  const isInstalled = !setUp.some((command) => command.includes('@hookproof/'));
  const isFromFiles = packages.get('@hookproof/receiver')?.startsWith('file:') ?? false;
  const hasNoStart = start === 'npm start' && !scripts.has('start');
  return [
    ...(isInstalled
      ? []
      : [
          'npm does not have these packages before the first release: npm run pack in a clone of hookproof prints the line that installs them.',
        ]),
    ...(isFromFiles
      ? [
          'The workflow works after the first release: package.json names package files of this machine, which GitHub does not have.',
        ]
      : []),
    ...(isNew ? [] : ['The commands and the workflow expect the app at http://localhost:3000.']),
    ...(hasNoStart ? ['package.json needs a script start, which the workflow runs.'] : []),
    ...(testRunner === 'jest'
      ? [
          'Jest loads the package in ES modules only: https://github.com/hookproof/hookproof/blob/main/receiver/docs/testing.md#jest-and-commonjs',
        ]
      : []),
  ];
}

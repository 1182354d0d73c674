import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Argument } from 'commander';
import type { Command } from 'commander';

import { didYouMean } from '../../command-line/did-you-mean.ts';
import { UsageError } from '../../command-line/errors.ts';
import { openScreen } from '../../command-line/screen.ts';
import type { Screen } from '../../command-line/screen.ts';
import type { AppCommands } from './app-commands.ts';
import { appParts } from './app-files.ts';
import type { AppFile } from './app-files.ts';
import { existingFile, readApp } from './app-folder.ts';
import type { AppFolder } from './app-folder.ts';
import { FRAMEWORKS, frameworksOf, isFramework, NAMES } from './frameworks.ts';
import type { Framework, FrameworkName } from './frameworks.ts';
import { withRequire } from './script-text.ts';

const EXAMPLES = `
Writes the files of the framework's recipe: the handlers, the receiver, its route, a test, .env.example, and a workflow
for GitHub Actions. The names, and whether they are JavaScript or TypeScript, follow your package.json. A new folder also
gets an app that runs. No file is overwritten and package.json stays as it is: the command says what to add. A .gitignore
that exists gets the name of the database, and .env.

Exit codes:
  0 every file exists   2 usage

Examples:
  $ hookproof init                                   the framework in package.json
  $ hookproof init express                           in a new folder, or when package.json names two`;

/** Where the pages are explained. */
const RECIPES = 'https://github.com/hookproof/hookproof/blob/main/docs/recipes';

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
  throw new UsageError(
    `There is no framework ${given}.${didYouMean(given, NAMES)} All of them: ${NAMES.join(', ')}.`,
  );
}

function init(given: FrameworkName | undefined, folder: string, screen: Screen): void {
  const app = readApp(folder);
  const name = given ?? frameworkOf(app);
  const framework: Framework = FRAMEWORKS[name];
  const { files, commands } = appParts(framework, app);
  screen.print(`${screen.paint.bold(name)}  ${RECIPES}/${framework.page}.md`);
  const toAdd = files.filter((file) => isToAdd(file, app, folder, screen));
  ignoreFiles(folder, screen);
  for (const file of toAdd) {
    screen.print(`\nAdd these lines to ${file.isOfNewApps ? 'your app' : file.name}:\n`);
    const text = usesRequire(file, app) ? withRequire(file.text) : file.text;
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

/** Writes a file unless it exists. Returns whether the app still needs what the file says. */
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
    screen.print(`  ${screen.paint.dim('kept')}      ${existing} (exists already)`);
    return isNeeded && !isIncluded;
  }
  if (!isForThis) return true;
  mkdirSync(join(folder, dirname(name)), { recursive: true });
  writeFileSync(join(folder, name), text, { flag: 'wx' });
  screen.print(`  ${screen.paint.green('written')}   ${name}`);
  return false;
}

/** What an app writes where it runs, and what it keeps for itself. */
const IGNORED = ['events.db*', '.env'];

/** Adds to the `.gitignore` of an app what must not be committed. */
function ignoreFiles(folder: string, screen: Screen): void {
  const file = join(folder, '.gitignore');
  if (!existsSync(file)) return;
  const text = readFileSync(file, 'utf8');
  const lines = text.split(/\r?\n/);
  const missing = IGNORED.filter((name) => !lines.includes(name) && !lines.includes(`/${name}`));
  if (missing.length === 0) return;
  const start = text === '' || text.endsWith('\n') ? '' : '\n';
  appendFileSync(file, `${start}${missing.join('\n')}\n`);
  screen.print(`  ${screen.paint.green('added')}     ${missing.join(' and ')} to .gitignore`);
}

/** An app in CommonJS loads the files, which are ES modules, with `require()`. */
function usesRequire({ isOfNewApps }: AppFile, app: AppFolder): boolean {
  return isOfNewApps && !app.isModule && !app.isTypeScript;
}

function nextCommands({ setUp, build, test, secret, start, send }: AppCommands): string[] {
  return [...setUp, ...test, ...build, secret, `${start} &`, ...send];
}

/** How to load the secret from a file. */
function secretNote(start: string): string {
  const [, program] = /^(?:node|npx --yes tsx) (.+)$/.exec(start) ?? [];
  const loads =
    program === undefined
      ? 'load it where your app starts, such as with node --env-file=.env'
      : `start with ${start.slice(0, -program.length)}--env-file=.env ${program}`;
  return `To keep the secret in a file: cp .env.example .env, and ${loads}.`;
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
    secretNote(start),
    ...(isNew ? [] : ['The commands and the workflow expect the app at http://localhost:3000.']),
    ...(hasNoStart ? ['package.json needs a script start, which the workflow runs.'] : []),
    ...(testRunner === 'jest'
      ? [
          'Jest loads the package in ES modules only: https://github.com/hookproof/hookproof/blob/main/receiver/docs/testing.md#jest-and-commonjs',
        ]
      : []),
  ];
}

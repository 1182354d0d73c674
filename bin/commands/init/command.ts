import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Argument } from 'commander';
import type { Command } from 'commander';

import { didYouMean } from '../../command-line/did-you-mean.ts';
import { UsageError } from '../../command-line/errors.ts';
import { openScreen } from '../../command-line/screen.ts';
import type { Screen } from '../../command-line/screen.ts';
import { SQLITE } from './app-commands.ts';
import type { AppCommands } from './app-commands.ts';
import { appParts } from './app-files.ts';
import type { AppFile } from './app-files.ts';
import { readApp } from './app-folder.ts';
import type { AppFolder } from './app-folder.ts';
import { configChanges } from './config-changes.ts';
import type { Change } from './config-changes.ts';
import { FRAMEWORKS, frameworksOf, isFramework, NAMES } from './frameworks.ts';
import type { Framework, FrameworkName } from './frameworks.ts';

const EXAMPLES = `
Writes the files of the framework's recipe: the handlers, the receiver, its
route, a test, .env.example, and a workflow for GitHub Actions. Their names,
places and form follow your package.json, tsconfig.json and program. A new
folder also gets an app that runs. No file is changed but .gitignore, which gets
lines at its end: for your own files, the command prints what to add or change.

Exit codes: 0 every file exists, 2 usage.

Examples:
  $ hookproof init                the framework in package.json
  $ hookproof init express        in a new folder, or if package.json names two`;

/** Where the pages are explained. */
const RECIPES = 'https://github.com/hookproof/hookproof/blob/main/docs/recipes';

/** Adds `hookproof init`, which writes what a recipe shows into the app of the current folder. */
export function addInit(program: Command): void {
  program
    .command('init')
    .description('Writes a receiver, a test and a CI workflow into your app.')
    .addArgument(
      new Argument('[framework]', `default: that of package.json; ${NAMES.join(', ')}`)
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
  const { files, lines, commands } = appParts(framework, app);
  screen.print(`${screen.paint.bold(name)}  ${RECIPES}/${framework.page}.md`);
  const toAdd = files.filter((file) => isToAdd(file, app, folder, screen));
  ignoreFiles(folder, screen);
  for (const { name: file, text } of toAdd) printBlock(`Add these lines to ${file}:`, text, screen);
  if (lines !== null && !isIn(lines.text, lines.file === null ? null : app.read(lines.file))) {
    printBlock(`Add these lines to ${lines.file ?? 'your app'}:`, lines.text, screen);
  }
  for (const change of configChanges(name, app)) printChange(change, screen);
  printNext(commands, screen);
  const notes = notesOf(commands, app, framework);
  if (notes.length > 0) screen.print('');
  for (const note of notes) screen.print(note);
}

/** Whether a program already has the receiver in it. */
function isIn(lines: string, program: string | null): boolean {
  const [, call] =
    /\b((?:nodeHandler|koaMiddleware|fastifyPlugin|fetchHandler)\()/.exec(
      lines.replaceAll(/^(?:import|const \{).*$/gm, ''),
    ) ?? [];
  return call !== undefined && (program?.includes(call) ?? false);
}

function printBlock(title: string, text: string, screen: Screen): void {
  screen.print(`\n${title}\n`);
  for (const line of text.trimEnd().split('\n')) screen.print(line === '' ? '' : `    ${line}`);
}

function printChange({ file, before, after }: Change, screen: Screen): void {
  if (before === null) {
    printBlock(`In ${file}, add this line where it belongs:`, after, screen);
    return;
  }
  printBlock(`In ${file}, change this line:`, before, screen);
  printBlock(after.includes('\n') ? 'to these:' : 'to this:', after, screen);
}

/** Returns the framework that package.json names; without one it is Node.js alone. */
function frameworkOf({ packages, hasManifest }: AppFolder): FrameworkName {
  const [first = 'node', ...others] = frameworksOf(new Set(packages.keys()));
  if (others.length > 0) {
    throw new UsageError(
      `init requires one framework, but package.json has ${[first, ...others].join(' and ')}. Name the one that receives the webhooks: hookproof init ${first}`,
    );
  }
  if (!hasManifest) {
    throw new UsageError(
      `init requires a framework, because this folder has no package.json. Name one of ${NAMES.join(', ')}, such as: hookproof init express`,
    );
  }
  return first;
}

/** Writes a file unless it exists. Returns whether the app still needs what the file says. */
function isToAdd(
  { name, text, isNeeded }: AppFile,
  app: AppFolder,
  folder: string,
  screen: Screen,
): boolean {
  const existing = app.existing(name);
  if (existing !== null) {
    const isIncluded = app.read(existing)?.includes(text.trim()) ?? false;
    screen.print(`  ${screen.paint.dim('kept')}      ${existing} (exists already)`);
    return isNeeded && !isIncluded;
  }
  mkdirSync(join(folder, dirname(name)), { recursive: true });
  writeFileSync(join(folder, name), text, { flag: 'wx' });
  screen.print(`  ${screen.paint.green('written')}   ${name}`);
  return false;
}

/** What an app writes where it runs, and what it keeps for itself. */
const IGNORED = ['events.db*', '.env'];
/** What `.env.example` would be ignored by. */
const IGNORES_EXAMPLE = /^\/?\.env(?:\*|\.\*)$/;
const EXAMPLE = '!.env.example';

/** Adds to the `.gitignore` of an app what must not be committed, and keeps in what must. */
function ignoreFiles(folder: string, screen: Screen): void {
  const file = join(folder, '.gitignore');
  if (!existsSync(file)) return;
  const text = readFileSync(file, 'utf8');
  const lines = text.split(/\r?\n/);
  const isExampleIgnored =
    lines.some((line) => IGNORES_EXAMPLE.test(line)) && !lines.includes(EXAMPLE);
  const missing = [
    ...IGNORED.filter(
      (name) =>
        !lines.includes(name) &&
        !lines.includes(`/${name}`) &&
        !(name === '.env' && lines.includes('.env*')),
    ),
    ...(isExampleIgnored ? [EXAMPLE] : []),
  ];
  if (missing.length === 0) return;
  const start = text === '' || text.endsWith('\n') ? '' : '\n';
  appendFileSync(file, `${start}${missing.join('\n')}\n`);
  screen.print(`  ${screen.paint.green('added')}     ${missing.join(' and ')} to .gitignore`);
}

/** Prints the lines to type: at once until the app and the platform start, the others when they have. */
function printNext({ setUp, build, test, secret, start, send }: AppCommands, screen: Screen): void {
  const commands = [...setUp, ...test, ...build, secret, `${start} &`, ...send];
  const started = commands.findLastIndex((command) => command.endsWith(' &')) + 1;
  screen.print('\nNext:\n');
  for (const command of commands.slice(0, started)) screen.print(`  ${command}`);
  screen.print('\nWhen both have started:\n');
  for (const command of commands.slice(started)) screen.print(`  ${command}`);
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
function notesOf(
  { setUp, start, port }: AppCommands,
  app: AppFolder,
  { isBundled }: Framework,
): string[] {
  const { packages, isNew, scripts, testRunner } = app;
  const isInstalled = !setUp.some((command) => command.includes('@hookproof/'));
  const isFromFiles = packages.get('@hookproof/receiver')?.startsWith('file:') ?? false;
  const hasNoStart = /^\S+ (?:run )?start$/.test(start) && !scripts.has('start');
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
    ...(setUp.some((command) => command.includes(SQLITE))
      ? [
          `npm may warn that the install script of ${SQLITE} is not covered by allowScripts: it works without.`,
        ]
      : []),
    secretNote(start),
    ...(isNew ? [] : [`The commands and the workflow expect the app at http://localhost:${port}.`]),
    `If port ${port} is taken, take another one in the app and after --forward-to.`,
    ...(hasNoStart && !isBundled
      ? ['package.json needs a script start, which the workflow runs.']
      : []),
    ...(testRunner === 'jest'
      ? [
          'Before Node.js 24.9, Jest loads the package with import() and not with require(): https://github.com/hookproof/hookproof/blob/main/receiver/docs/testing.md#jest-and-commonjs',
        ]
      : []),
  ];
}

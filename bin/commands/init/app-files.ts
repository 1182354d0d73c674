import { posix } from 'node:path';

import { appCommands } from './app-commands.ts';
import type { AppCommands } from './app-commands.ts';
import type { AppFolder } from './app-folder.ts';
import { findEntry } from './entry.ts';
import type { Entry } from './entry.ts';
import type { Framework } from './frameworks.ts';
import { commandOf, workflowSteps } from './package-manager.ts';
import { filesOf, readRecipe } from './recipe.ts';
import {
  forRunner,
  receiverLines,
  renamed,
  typed,
  withoutTopAwait,
  withRequire,
} from './script-text.ts';
import type { ImportEnding } from './script-text.ts';
import { compilesToCommonJs, importEnding } from './type-script.ts';

/** A file for an app. */
export interface AppFile {
  readonly name: string;
  readonly text: string;
  /** Whether an app that has another file under the name needs what this one says. */
  readonly isNeeded: boolean;
}

/** What `hookproof init` gives an app. */
interface AppParts {
  readonly files: readonly AppFile[];
  /** The lines for the program that an app has; null if it needs none. */
  readonly lines: { readonly file: string | null; readonly text: string } | null;
  readonly commands: AppCommands;
}

interface PageFile {
  readonly name: string;
  readonly text: string;
}

const HANDLERS = /(?:^|\/)handlers(?:\.server)?\.m?[jt]s$/;
const TEST = /\.(?:test|spec)\.m?[jt]s$/;
/** The tools look for these names, whatever the app is written in. */
const FIXED_NAME = /\.config\.m?js$|\.(?:html|json|jsx)$|\.ts$/;

/**
 * Returns the files and commands of an app: those of the page of its framework, and the test and the workflow of the
 * page about GitHub Actions.
 */
export function appParts(framework: Framework, app: AppFolder): AppParts {
  const page = readRecipe(framework.page);
  const shared = filesOf(readRecipe('github-actions'));
  const scripts = withTest(filesOf(page), shared);
  const entry =
    app.isNew || framework.module === undefined ? null : findEntry(app, framework.module);
  const names = new Map(scripts.map(({ name }) => [name, appName(name, framework, app, entry)]));
  const commands = appCommands(page, framework, app, names, entry);
  const ownFiles = scripts.filter(
    ({ name }) => app.isNew || !(framework.scaffold.includes(name) || name === framework.program),
  );
  const workflow = shared.find(({ name }) => name.endsWith('.yml')) ?? { name: '', text: '' };
  const program = scripts.find(({ name }) => name === framework.program);
  return {
    files: [
      ...ownFiles.map((file) => ({
        name: names.get(file.name) ?? file.name,
        text: scriptText(file, names, framework, app),
        isNeeded: isNeeded(file.name),
      })),
      {
        name: '.env.example',
        text: `${commands.secret.replace('export ', '')}\n`,
        isNeeded: true,
      },
      { name: workflow.name, text: workflowText(workflow.text, commands, app), isNeeded: false },
    ],
    lines:
      app.isNew || program === undefined
        ? null
        : { file: entry?.file ?? null, text: programLines(program, names, framework, app, entry) },
    commands,
  };
}

/** An app has its own handlers and tests, and `config-changes.ts` says what its settings lack. */
function isNeeded(name: string): boolean {
  return !HANDLERS.test(name) && !TEST.test(name) && !name.includes('.config.');
}

/** Puts the test of the handlers beside them, unless the page has its own. */
function withTest(files: readonly PageFile[], shared: readonly PageFile[]): PageFile[] {
  if (files.some(({ name }) => TEST.test(name))) return [...files];
  const handlers = files.find(({ name }) => HANDLERS.test(name))?.name ?? '';
  const tests = shared.filter(({ name }) => TEST.test(name));
  return [
    ...files,
    ...tests.map(({ name, text }) => ({
      name: posix.join(posix.dirname(handlers), name),
      text: text.replace('handlers.mjs', posix.basename(handlers)),
    })),
  ];
}

function appName(name: string, framework: Framework, app: AppFolder, entry: Entry | null): string {
  if (framework.scaffold.includes(name) || FIXED_NAME.test(name)) return name;
  const script = testName(scriptName(name, framework, app), app);
  return posix.join(sourceFolder(framework, app, entry), script);
}

/** Where an app of no fixed layout has its sources: beside its program, or where its compiler looks. */
function sourceFolder(
  { canBeInSource, module }: Framework,
  app: AppFolder,
  entry: Entry | null,
): string {
  if (module === undefined) return canBeInSource === true && app.hasRoutesInSource ? 'src' : '.';
  const sources = app.typeScript?.sources ?? '.';
  const place = entry === null ? '.' : posix.dirname(entry.file);
  return place === '.' ? sources : place;
}

function scriptName(name: string, framework: Framework, app: AppFolder): string {
  const { typeScript, isModule } = app;
  if (typeScript === null) return name.replace(/\.mjs$/, isModule ? '.js' : '.mjs');
  const isWritten = framework.isBundled || isModule || isCommonJs(framework, app);
  return name.replace(/\.m?js$/, isWritten ? '.ts' : '.mts');
}

function testName(name: string, { hasSpecs }: AppFolder): string {
  return hasSpecs ? name.replace(/\.test(?=\.m?[jt]s$)/, '.spec') : name;
}

/** Whether a `.ts` file of the app becomes CommonJS. Without a tsconfig.json it is run as it is. */
function isCommonJs({ isBundled }: Framework, { typeScript, isModule }: AppFolder): boolean {
  if (isBundled || typeScript === null || !typeScript.hasConfig) return false;
  // There, a file with `import` must be an ES module.
  if (typeScript.options.verbatimModuleSyntax === true) return false;
  return compilesToCommonJs(typeScript, isModule);
}

function endingOf(framework: Framework, { typeScript, isModule }: AppFolder): ImportEnding {
  if (typeScript === null) return 'as compiled';
  if (framework.isBundled) return 'none';
  return importEnding(typeScript, isModule);
}

function scriptText(
  { name, text }: PageFile,
  names: ReadonlyMap<string, string>,
  framework: Framework,
  app: AppFolder,
): string {
  const isTyped = app.typeScript !== null && names.get(name) !== name;
  const isFlat = isCommonJs(framework, app) && isTyped;
  const tested = TEST.test(name)
    ? forRunner(text, app.testRunner, { isCommonJs: isCommonJs(framework, app) })
    : text;
  const inForm = isTyped ? typed(tested) : tested;
  return renamed(
    isFlat ? withoutTopAwait(inForm, { isTyped: true }) : inForm,
    names,
    endingOf(framework, app),
  );
}

/** Returns the lines of a program that an app with one of its own needs, in the form of its file. */
function programLines(
  { text }: PageFile,
  names: ReadonlyMap<string, string>,
  framework: Framework,
  app: AppFolder,
  entry: Entry | null,
): string {
  const needed = receiverLines(text).replace(/process\.once\('SIGTERM'[\s\S]*/, (stop) =>
    /SIGTERM|close-with-grace/.test(entry?.text ?? '') ? ownStop(stop) : stop,
  );
  const lines = renamed(needed, names, endingOf(framework, app));
  if (app.typeScript !== null) {
    return isCommonJs(framework, app) ? withoutTopAwait(lines, { isTyped: true }) : lines;
  }
  const usesImport = entry === null ? app.isModule : /^import /m.test(entry.text);
  return app.isModule || usesImport ? lines : withRequire(lines);
}

/** An app that stops by itself also closes the receiver. */
function ownStop(stop: string): string {
  return stop.includes('receiver.close()')
    ? 'await receiver.close(); // in your handler of SIGTERM\n'
    : '';
}

function workflowText(
  text: string,
  { build, test, start, port }: AppCommands,
  { manager, nodeVersionFile }: AppFolder,
): string {
  const runs = [...build, ...test].map((command) => `      - run: ${command}\n`);
  return text
    .replace('      - run: node --test\n', () => runs.join(''))
    .replace('node app.mjs', () => start)
    .replace('      - uses: actions/setup-node', (step) => workflowSteps(manager) + step)
    .replace('cache: npm', manager === 'bun' ? 'package-manager-cache: false' : `cache: ${manager}`)
    .replace('npm ci', commandOf(manager, 'npm ci'))
    .replace('npx hookproof', commandOf(manager, 'npx hookproof'))
    .replace(
      'node-version: 24',
      nodeVersionFile === null ? 'node-version: 24' : `node-version-file: ${nodeVersionFile}`,
    )
    .replaceAll('localhost:3000', `localhost:${port}`);
}

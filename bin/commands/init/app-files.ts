import { posix } from 'node:path';

import { appCommands } from './app-commands.ts';
import type { AppCommands } from './app-commands.ts';
import type { AppFolder } from './app-folder.ts';
import type { Framework } from './frameworks.ts';
import { filesOf, readRecipe } from './recipe.ts';
import { forRunner, renamed, typed } from './script-text.ts';

/** A file for an app. */
export interface AppFile {
  readonly name: string;
  readonly text: string;
  /** Whether an app that has another file under the name needs what this one says. */
  readonly isNeeded: boolean;
  /** Whether only a new app gets it. */
  readonly isOfNewApps: boolean;
}

/** What `hookproof init` gives an app. */
export interface AppParts {
  readonly files: readonly AppFile[];
  readonly commands: AppCommands;
}

interface PageFile {
  readonly name: string;
  readonly text: string;
}

const HANDLERS = /(?:^|\/)handlers(?:\.server)?\.m?[jt]s$/;
const TEST = /\.test\.m?[jt]s$/;
/** The tools look for these names, whatever the app is written in. */
const FIXED_NAME = /\.config\.m?js$|\.(?:html|json|jsx|ts)$/;

/**
 * Returns the files and commands of an app: those of the page of its framework, and the test and the workflow of the
 * page about GitHub Actions.
 */
export function appParts(framework: Framework, app: AppFolder): AppParts {
  const page = readRecipe(framework.page);
  const shared = filesOf(readRecipe('github-actions'));
  const scripts = withTest(filesOf(page), shared);
  const names = new Map(scripts.map(({ name }) => [name, appName(name, framework, app)]));
  const commands = appCommands(page, framework, app, names);
  const workflow = shared.find(({ name }) => name.endsWith('.yml')) ?? { name: '', text: '' };
  const files = [
    ...scripts.map(({ name, text }) => ({
      name: names.get(name) ?? name,
      text: scriptText({ name, text }, names, framework, app),
      isNeeded: isNeeded(name) && (app.isNew || !framework.scaffold.includes(name)),
      isOfNewApps: framework.scaffold.includes(name) || name === framework.program,
    })),
    {
      name: '.env.example',
      text: `${commands.secret.replace('export ', '')}\n`,
      isNeeded: true,
      isOfNewApps: false,
    },
    {
      name: workflow.name,
      text: workflowText(workflow.text, commands),
      isNeeded: false,
      isOfNewApps: false,
    },
  ];
  return { files, commands };
}

/** An app has its own handlers and tests. */
function isNeeded(name: string): boolean {
  return !HANDLERS.test(name) && !TEST.test(name);
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

function appName(name: string, framework: Framework, app: AppFolder): string {
  const { scaffold, isBundled, canBeInSource } = framework;
  if (scaffold.includes(name) || FIXED_NAME.test(name)) return name;
  const isModule = app.isModule || isBundled;
  const script = app.isTypeScript
    ? name.replace(/\.m?js$/, isModule ? '.ts' : '.mts')
    : name.replace(/\.mjs$/, app.isModule ? '.js' : '.mjs');
  return canBeInSource === true && app.hasRoutesInSource ? `src/${script}` : script;
}

function scriptText(
  { name, text }: PageFile,
  names: ReadonlyMap<string, string>,
  { isBundled }: Framework,
  { isTypeScript, testRunner }: AppFolder,
): string {
  const isTyped = isTypeScript && names.get(name) !== name;
  const tested = TEST.test(name) ? forRunner(text, testRunner) : text;
  const style = isBundled && isTypeScript ? 'bundled' : 'compiled';
  return renamed(isTyped ? typed(tested) : tested, names, style);
}

function workflowText(text: string, { build, test, start }: AppCommands): string {
  const runs = [...build, ...test].map((command) => `      - run: ${command}\n`);
  return text
    .replace('      - run: node --test\n', () => runs.join(''))
    .replace('node app.mjs', () => start);
}

import type { AppFolder } from './app-folder.ts';
import type { Entry } from './entry.ts';
import type { Framework } from './frameworks.ts';
import { commandOf } from './package-manager.ts';
import { commandsOf } from './recipe.ts';
import type { Recipe } from './recipe.ts';

/** What a page types, for an app. */
export interface AppCommands {
  /** Installs what is missing, and sets up a new app. */
  readonly setUp: readonly string[];
  readonly build: readonly string[];
  readonly test: readonly string[];
  /** Sets the secret in a shell. */
  readonly secret: string;
  readonly start: string;
  /** Starts a platform, and sends the events of a run. */
  readonly send: readonly string[];
  /** The port on which the app is expected. */
  readonly port: number;
}

/** The package that `sqliteStore` needs where Node.js has no SQLite. */
export const SQLITE = '@photostructure/sqlite';
/** Of the packages of a page, those that an app of the framework can be without. */
const OWN_PACKAGES = new Set([
  '@hookproof/receiver',
  'hookproof',
  'h3',
  '@sveltejs/adapter-node',
  '@types/node',
]);
const PORT = 3000;

/**
 * Returns the commands of an app, as its package manager has them.
 *
 * @param names - the names in the app of the files of the page
 * @param entry - the program that an app has
 */
export function appCommands(
  page: Recipe,
  framework: Framework,
  app: AppFolder,
  names: ReadonlyMap<string, string>,
  entry: Entry | null,
): AppCommands {
  const commands = commandsOf(page);
  const init = commands.findIndex((command) => command.startsWith('npx hookproof init '));
  const start = commands.findIndex((command) => command.endsWith(' &'));
  const own = commands.slice(init + 1, start);
  const port = entry?.port ?? PORT;
  const typed = (command: string): string =>
    commandOf(app.manager, command.replaceAll(String(PORT), String(port)));
  return {
    setUp: [
      ...commands.slice(0, init).flatMap((command) => stillNeeded(command, app)),
      ...sqlite(app),
      ...nodeTypes(app),
    ].map(typed),
    build: buildCommands(own, framework, app).map(typed),
    test: [...names.values()].flatMap((name) => testCommand(name, app)).map(typed),
    secret: own.find((command) => command.startsWith('export ')) ?? '',
    start: typed(
      startCommand(commands[start]?.replace(/ &$/, '') ?? '', framework, app, names, entry),
    ),
    send: commands
      .slice(start + 1)
      .filter((command) => !command.startsWith('kill '))
      .map(typed),
    port,
  };
}

function buildCommands(
  own: readonly string[],
  { isBundled }: Framework,
  app: AppFolder,
): readonly string[] {
  if (!app.isNew && app.scripts.has('build')) return ['npm run build'];
  if (app.isNew || isBundled) {
    return own.filter((command) => !/^export |(?:vitest|jest|--test)\b/.test(command));
  }
  const runsCompiled = /\b(?:dist|build)\//.test(app.scripts.get('start') ?? app.main ?? '');
  return app.typeScript !== null && runsCompiled ? ['npx tsc'] : [];
}

function startCommand(
  ofPage: string,
  { isBundled }: Framework,
  app: AppFolder,
  names: ReadonlyMap<string, string>,
  entry: Entry | null,
): string {
  if (app.isNew) return withNames(ofPage, names);
  // SvelteKit has a script preview instead, which is no server for production.
  if (app.scripts.has('start')) return 'npm start';
  if (isBundled) return withNames(ofPage, names);
  if (entry === null) return 'npm start';
  return entry.file.endsWith('ts') ? `npx --yes tsx ${entry.file}` : `node ${entry.file}`;
}

/** Leaves out of a command what the app has. */
function stillNeeded(command: string, app: AppFolder): string[] {
  if (command === 'npm pkg set type=module') return app.isNew && !app.isModule ? [command] : [];
  const [npm, install, ...words] = command.split(/[\s\\]+/);
  const needed = words.filter((word) => {
    const name = word.replace(/(?<=.)@.*$/, '');
    return !app.packages.has(name) && (app.isNew || OWN_PACKAGES.has(name));
  });
  const hasPackage = needed.some((word) => !word.startsWith('--'));
  return hasPackage ? [[npm, install, ...needed].join(' ')] : [];
}

function sqlite({ packages }: AppFolder): string[] {
  const isBuiltIn = process.getBuiltinModule('node:sqlite') !== undefined;
  return isBuiltIn || packages.has(SQLITE) ? [] : [`npm install ${SQLITE}@1`];
}

/** The written files use `process` and, in a test, `node:test`. */
function nodeTypes({ packages, typeScript, isNew }: AppFolder): string[] {
  const isMissing = typeScript !== null && !packages.has('@types/node') && !isNew;
  return isMissing ? ['npm install --save-dev @types/node'] : [];
}

function testCommand(name: string, { testRunner, typeScript }: AppFolder): string[] {
  if (!/handlers\.(?:test|spec)\.m?[jt]s$/.test(name)) return [];
  if (testRunner === 'jest') return [`NODE_OPTIONS=--experimental-vm-modules npx jest ${name}`];
  // Only the page of NestJS has a test with this name in an app without a runner.
  if (testRunner === 'vitest' || name.endsWith('.spec.ts')) return [`npx vitest run ${name}`];
  return [typeScript === null ? `node --test ${name}` : `npx --yes tsx --test ${name}`];
}

/** A script in TypeScript is run by tsx, with every version of Node.js. */
function withNames(command: string, names: ReadonlyMap<string, string>): string {
  const words = command.split(' ').map((word) => names.get(word) ?? word);
  return words.join(' ').replace(/^node (?=.*\.m?ts$)/, 'npx --yes tsx ');
}

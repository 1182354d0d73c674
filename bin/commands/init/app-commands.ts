import type { AppFolder } from './app-folder.ts';
import type { Framework } from './frameworks.ts';
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
}

/** The package that `sqliteStore` needs where Node.js has no SQLite. */
const SQLITE = '@photostructure/sqlite';
/** Of the packages of a page, those that an app of the framework can be without. */
const OWN_PACKAGES = new Set(['@hookproof/receiver', 'hookproof', 'h3']);

/**
 * Returns the commands of an app.
 *
 * @param names - the names in the app of the files of the page
 */
export function appCommands(
  page: Recipe,
  { isBundled }: Pick<Framework, 'isBundled'>,
  app: AppFolder,
  names: ReadonlyMap<string, string>,
): AppCommands {
  const commands = commandsOf(page);
  const init = commands.findIndex((command) => command.startsWith('npx hookproof init '));
  const start = commands.findIndex((command) => command.endsWith(' &'));
  const setUp = commands.slice(0, init);
  const own = commands.slice(init + 1, start);
  const isAsOnPage = app.isNew || isBundled;
  const ownBuild = isAsOnPage ? own.filter((command) => !command.startsWith('export ')) : [];
  return {
    setUp: [...setUp.flatMap((command) => stillNeeded(command, app)), ...sqlite(app)],
    build: !app.isNew && app.scripts.has('build') ? ['npm run build'] : ownBuild,
    test: [...names.values()].flatMap((name) => testCommand(name, app)),
    secret: own.find((command) => command.startsWith('export ')) ?? '',
    start:
      !isAsOnPage || (!app.isNew && app.scripts.has('start'))
        ? 'npm start'
        : withNames((commands[start] ?? '').replace(/ &$/, ''), names),
    send: commands.slice(start + 1).filter((command) => !command.startsWith('kill ')),
  };
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

function testCommand(name: string, { testRunner, isTypeScript }: AppFolder): string[] {
  if (!/handlers\.test\.m?[jt]s$/.test(name)) return [];
  if (testRunner === 'vitest') return [`npx vitest run ${name}`];
  if (testRunner === 'jest') return [`NODE_OPTIONS=--experimental-vm-modules npx jest ${name}`];
  return [isTypeScript ? `npx --yes tsx --test ${name}` : `node --test ${name}`];
}

/** A script in TypeScript is run by tsx, with every version of Node.js. */
function withNames(command: string, names: ReadonlyMap<string, string>): string {
  const words = command.split(' ').map((word) => names.get(word) ?? word);
  return words.join(' ').replace(/^node (?=.*\.m?ts$)/, 'npx --yes tsx ');
}

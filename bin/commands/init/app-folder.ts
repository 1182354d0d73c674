import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { isRecord, readText } from '../../command-line/json-file.ts';
import { UsageError } from '../../command-line/errors.ts';
import { packageManagerOf } from './package-manager.ts';
import type { PackageManager } from './package-manager.ts';
import { readTypeScript } from './type-script.ts';
import type { TypeScript } from './type-script.ts';

/** The app that `hookproof init` is for. */
export interface AppFolder {
  /** Whether nothing but a package.json, what belongs to it, and texts are there. */
  readonly isNew: boolean;
  readonly hasManifest: boolean;
  /** How the app is compiled; null if it is JavaScript. */
  readonly typeScript: TypeScript | null;
  /** Whether `.js` is an ES module. */
  readonly isModule: boolean;
  readonly testRunner: 'node' | 'vitest' | 'jest';
  /** Whether the test runner finds `*.spec.*` and not `*.test.*`. */
  readonly hasSpecs: boolean;
  /** What package.json requires, with the versions. */
  readonly packages: ReadonlyMap<string, string>;
  readonly scripts: ReadonlyMap<string, string>;
  /** The file that `main` of package.json names. */
  readonly main: string | null;
  readonly manager: PackageManager;
  /** The file that says which Node.js the app needs. */
  readonly nodeVersionFile: string | null;
  /** Whether the routes of a framework that allows both are below `src`. */
  readonly hasRoutesInSource: boolean;
  /** Returns a file of the app; null if there is none. */
  read(name: string): string | null;
  /** Returns the file that is there under this name, or with another extension of a script; null if there is none. */
  existing(name: string): string | null;
}

/** What a new app can have beside its hidden files. */
const OF_NEW_APPS =
  /^(?:\..*|package(?:-lock)?\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|tsconfig\.json|node_modules|LICENSE|.*\.md)$/;

/** Where a runner says which files are tests. */
const TEST_CONFIGS = {
  vitest: ['vitest.config.js', 'vite.config.js'],
  jest: ['jest.config.js', 'package.json'],
} as const;

/**
 * Reads what an app has.
 *
 * @throws {UsageError} if its package.json cannot be read
 */
export function readApp(folder: string): AppFolder {
  const read = (name: string): string | null =>
    existsSync(join(folder, name)) ? readText(join(folder, name)) : null;
  const manifest = manifestOf(() => read('package.json'));
  const packages = new Map(
    ['dependencies', 'devDependencies'].flatMap((kind) => textsOf(manifest?.[kind])),
  );
  const existing = (name: string): string | null => existingFile(folder, name);
  const testRunner = (['vitest', 'jest'] as const).find((name) => packages.has(name)) ?? 'node';
  const hasFile = (name: string): boolean => existsSync(join(folder, name));
  const engines = isRecord(manifest?.['engines']) ? manifest['engines'] : {};
  return {
    isNew: readdirSync(folder).every((name) => OF_NEW_APPS.test(name)),
    hasManifest: manifest !== null,
    typeScript:
      packages.has('typescript') || hasFile('tsconfig.json')
        ? readTypeScript(folder, packages.get('typescript'))
        : null,
    isModule: manifest?.['type'] === 'module',
    testRunner,
    hasSpecs:
      testRunner !== 'node' &&
      TEST_CONFIGS[testRunner].some((name) => namesSpecsOnly(read(existing(name) ?? name))),
    packages,
    scripts: new Map(textsOf(manifest?.['scripts'])),
    main: typeof manifest?.['main'] === 'string' ? manifest['main'] : null,
    manager: packageManagerOf(hasFile),
    nodeVersionFile:
      ['.nvmrc', '.node-version'].find(hasFile) ??
      (typeof engines['node'] === 'string' ? 'package.json' : null),
    hasRoutesInSource: hasFile('src/app') || hasFile('src/pages'),
    read,
    existing,
  };
}

/** Whether a configuration looks for tests by `spec` alone. */
function namesSpecsOnly(config: string | null): boolean {
  const patterns = /(?:include|testRegex|testMatch)['"]?\s*:\s*(\[[^\]]*\]|['"].*['"])/.exec(
    config ?? '',
  )?.[1];
  return patterns !== undefined && /spec/.test(patterns) && !/test/.test(patterns);
}

function existingFile(folder: string, name: string): string | null {
  const place = join(folder, dirname(name));
  const script = /\.[cm]?[jt]sx?$/;
  const files = existsSync(place) ? readdirSync(place) : [];
  const wanted = basename(name);
  const stem = wanted.replace(script, '');
  const found = files.find(
    (file) =>
      file === wanted ||
      (script.test(file) && script.test(wanted) && file.replace(script, '') === stem),
  );
  return found === undefined ? null : join(dirname(name), found);
}

function manifestOf(read: () => string | null): Record<string, unknown> | null {
  try {
    const text = read();
    if (text === null) return null;
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Reported below.
  }
  throw new UsageError('package.json must be a JSON object that can be read. Correct it first.');
}

function textsOf(value: unknown): [string, string][] {
  if (!isRecord(value)) return [];
  return Object.entries(value).map(([name, text]) => [name, String(text)]);
}

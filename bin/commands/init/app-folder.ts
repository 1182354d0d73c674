import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { isRecord, readText } from '../../command-line/json-file.ts';
import { UsageError } from '../../command-line/errors.ts';

/** The app that `hookproof init` is for. */
export interface AppFolder {
  /** Whether nothing but a package.json, what belongs to it, and texts are there. */
  readonly isNew: boolean;
  readonly hasManifest: boolean;
  readonly isTypeScript: boolean;
  /** Whether `.js` is an ES module. */
  readonly isModule: boolean;
  readonly testRunner: 'node' | 'vitest' | 'jest';
  /** What package.json requires, with the versions. */
  readonly packages: ReadonlyMap<string, string>;
  readonly scripts: ReadonlySet<string>;
  /** Whether the routes of a framework that allows both are below `src`. */
  readonly hasRoutesInSource: boolean;
}

/** What a new app can have beside its hidden files. */
const OF_NEW_APPS =
  /^(?:\..*|package(?:-lock)?\.json|pnpm-lock\.yaml|yarn\.lock|tsconfig\.json|node_modules|LICENSE|.*\.md)$/;

/**
 * Reads what an app has.
 *
 * @throws {UsageError} if its package.json cannot be read
 */
export function readApp(folder: string): AppFolder {
  const manifest = manifestOf(join(folder, 'package.json'));
  const packages = new Map(
    ['dependencies', 'devDependencies'].flatMap((kind) => textsOf(manifest?.[kind])),
  );
  const has = (name: string): boolean => existsSync(join(folder, name));
  return {
    isNew: readdirSync(folder).every((name) => OF_NEW_APPS.test(name)),
    hasManifest: manifest !== null,
    isTypeScript: packages.has('typescript') || has('tsconfig.json'),
    isModule: manifest?.['type'] === 'module',
    testRunner: (['vitest', 'jest'] as const).find((name) => packages.has(name)) ?? 'node',
    packages,
    scripts: new Set(textsOf(manifest?.['scripts']).map(([name]) => name)),
    hasRoutesInSource: has('src/app') || has('src/pages'),
  };
}

/** Returns the file that is there under this name or with another extension of a script; null if there is none. */
export function existingFile(folder: string, name: string): string | null {
  const place = join(folder, dirname(name));
  const script = /\.[cm]?[jt]sx?$/;
  const files = existsSync(place) ? readdirSync(place) : [];
  const wanted = basename(name);
  const found = files.find(
    (file) =>
      file === wanted ||
      (script.test(file) && script.test(wanted) && stem(file, script) === stem(wanted, script)),
  );
  return found === undefined ? null : join(dirname(name), found);
}

function stem(file: string, extension: RegExp): string {
  return file.replace(extension, '');
}

function manifestOf(file: string): Record<string, unknown> | null {
  if (!existsSync(file)) return null;
  try {
    const value: unknown = JSON.parse(readText(file));
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

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseTsconfig } from 'get-tsconfig';
import type { TsConfigJsonResolved } from 'get-tsconfig';

/** How an app compiles TypeScript, as far as the files of `hookproof init` depend on it. */
export interface TypeScript {
  /** The compiler options, with those of the files that tsconfig.json extends. Empty without a tsconfig.json. */
  readonly options: NonNullable<TsConfigJsonResolved['compilerOptions']>;
  readonly hasConfig: boolean;
  /** The folder that the sources are in, from `rootDir` or `include`; `.` if they can be anywhere. */
  readonly sources: string;
  readonly major: number;
}

/** Reads tsconfig.json and the version of TypeScript. */
export function readTypeScript(folder: string, range = ''): TypeScript {
  const config = configOf(folder);
  const { compilerOptions = {}, include = [] } = config ?? {};
  const places = [compilerOptions.rootDir ?? '.', ...include].map((place) =>
    place
      .replace(/^\.\//, '')
      .replace(/\/?\*.*$/, '')
      .replace(/\/$/, ''),
  );
  const only = new Set(places.filter((place) => place !== '.' && place !== ''));
  const isEverywhere = include.some((place) => /^(?:\.\/)?\*/.test(place));
  return {
    options: compilerOptions,
    hasConfig: config !== null,
    sources: !isEverywhere && only.has('src') ? 'src' : '.',
    major: Number(/\d+/.exec(installedVersion(folder) ?? range)?.[0] ?? 5),
  };
}

function configOf(folder: string): TsConfigJsonResolved | null {
  const file = join(folder, 'tsconfig.json');
  if (!existsSync(file)) return null;
  try {
    return parseTsconfig(file);
  } catch {
    // The framework has not yet written a file that it extends.
    return {};
  }
}

function installedVersion(folder: string): string | undefined {
  try {
    const manifest = readFileSync(join(folder, 'node_modules/typescript/package.json'), 'utf8');
    return /"version":\s*"([^"]+)"/.exec(manifest)?.[1];
  } catch {
    return undefined;
  }
}

/** Whether the compiler writes `require()` for the `import` of a `.ts` file. */
export function compilesToCommonJs({ options, major }: TypeScript, isModule: boolean): boolean {
  const module = options.module?.toLowerCase() ?? (major < 6 ? 'commonjs' : 'esnext');
  return module === 'commonjs' || (module.startsWith('node') && !isModule);
}

/** Returns how an import names a `.ts` file. */
export function importEnding(
  typeScript: TypeScript,
  isModule: boolean,
): 'none' | 'as compiled' | 'as written' {
  const { allowImportingTsExtensions, rewriteRelativeImportExtensions } = typeScript.options;
  if (allowImportingTsExtensions || rewriteRelativeImportExtensions) return 'as written';
  return compilesToCommonJs(typeScript, isModule) ? 'none' : 'as compiled';
}

import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(import.meta.url);

/** The project's root, also for test code that runs compiled, below `test/dist`. */
export const ROOT: string = HERE.slice(0, HERE.lastIndexOf(`${sep}test${sep}`));

const TEST = join(ROOT, 'test');
const COMPILED = join(TEST, 'dist');

/**
 * Path of the compiled form of a program that a test runs in a process or worker.
 *
 * @param source - URL of a `.ts` file in a folder named `programs`
 */
export function compiledProgram(source: URL): string {
  const path = fileURLToPath(source).replace(/ts$/, 'js');
  const compiled = path.startsWith(COMPILED) ? path : join(COMPILED, relative(TEST, path));
  if (!existsSync(compiled)) {
    throw new Error(`Program ${compiled} must be compiled, got no file. Run npm run build.`);
  }
  return compiled;
}

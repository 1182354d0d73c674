import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const TEST = fileURLToPath(new URL('.', import.meta.url));

/**
 * Path of the compiled form of a program that a test runs in a process or worker.
 *
 * @param source - URL of a `.ts` file in a folder named `programs`
 */
export function compiledProgram(source: URL): string {
  const compiled = join(TEST, 'dist', relative(TEST, fileURLToPath(source)).replace(/ts$/, 'js'));
  if (!existsSync(compiled)) {
    throw new Error(`Program ${compiled} must be compiled, got no file. Run npm run build.`);
  }
  return compiled;
}

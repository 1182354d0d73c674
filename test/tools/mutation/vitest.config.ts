import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

const ROOMS = ['spec', 'receiver', 'server-reference', 'conformance'] as const;
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Every entry point of a package, as an alias of its source. */
function entryPoints(room: (typeof ROOMS)[number]): { find: RegExp; replacement: string }[] {
  const manifest: { exports: Record<string, { default?: string }> } = JSON.parse(
    readFileSync(`${root}${room}/package.json`, 'utf8'),
  );
  return Object.entries(manifest.exports).flatMap(([name, { default: compiled }]) => {
    const source = compiled?.replace('./dist/', `${root}${room}/src/`).replace(/\.js$/, '.ts');
    const find = new RegExp(`^@hookproof/${room}${name.slice(1)}$`);
    return source === undefined ? [] : [{ find, replacement: source }];
  });
}

/** The unit tests of the pure decisions, on the sources: a mutant of a source is not in its compiled form. */
export default defineConfig({
  root,
  resolve: { alias: ROOMS.flatMap(entryPoints) },
  test: {
    include: JSON.parse(process.env['MUTATION_TESTS'] ?? '[]'),
    setupFiles: ['test/tools/mutation/first-counterexample.ts'],
    testTimeout: 60_000,
  },
});

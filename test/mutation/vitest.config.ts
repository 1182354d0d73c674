import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

const ROOMS = ['spec', 'receiver', 'server-reference', 'conformance'] as const;
const root = fileURLToPath(new URL('../../', import.meta.url));

/** Every door of a package, leading to its source. */
function doors(room: (typeof ROOMS)[number]): { find: RegExp; replacement: string }[] {
  const manifest: { exports: Record<string, { default?: string }> } = JSON.parse(
    readFileSync(`${root}${room}/package.json`, 'utf8'),
  );
  return Object.entries(manifest.exports).flatMap(([door, { default: compiled }]) => {
    const source = compiled?.replace('./dist/', `${root}${room}/src/`).replace(/\.js$/, '.ts');
    const find = new RegExp(`^@hookproof/${room}${door.slice(1)}$`);
    return source === undefined ? [] : [{ find, replacement: source }];
  });
}

/** The unit tests of the pure decisions, on the sources: a mutant of a source is not in its compiled form. */
export default defineConfig({
  root,
  resolve: { alias: ROOMS.flatMap(doors) },
  test: {
    include: JSON.parse(process.env['MUTATION_TESTS'] ?? '[]'),
    setupFiles: ['test/mutation/first-counterexample.ts'],
    testTimeout: 60_000,
  },
});

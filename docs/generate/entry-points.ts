import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import { ROOT } from './root.ts';

/** The rooms that are packages with modules to import. */
export const ROOMS = ['receiver', 'server-reference', 'conformance', 'spec'] as const;
export type Room = (typeof ROOMS)[number];

/** A module that users import. */
export interface EntryPoint {
  /** What users import, such as `@hookproof/receiver/sqlite`. */
  readonly specifier: string;
  /** The file of its types, from the project's root. */
  readonly path: string;
  /** The file name of its page. */
  readonly page: string;
}

/** Doors between the suite, its proof and this repository; nobody else is promised that they stay. */
const INTERNAL = /^\.\/(?:hooks$|proof\/kit\/)/;

/** Returns the modules with types that a package exports, in the order of its manifest. */
export function entryPoints(room: Room): readonly EntryPoint[] {
  const manifest: { name: string; exports: Record<string, string | { types: string }> } =
    JSON.parse(readFileSync(join(ROOT, room, 'package.json'), 'utf8'));
  return Object.entries(manifest.exports).flatMap(([name, conditions]) => {
    if (typeof conditions === 'string' || INTERNAL.test(name)) return [];
    return {
      specifier: posix.join(manifest.name, name),
      path: posix.join(room, conditions.types),
      page: `${posix.join(room, name).replaceAll('/', '-')}.md`,
    };
  });
}

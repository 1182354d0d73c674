import { posix } from 'node:path';

type Replacement = readonly [before: string, after: string];

/** The types of the scripts in the pages. */
const TYPES: readonly Replacement[] = [
  [
    'export const handlers = {',
    "import type { Handlers } from '@hookproof/receiver';\n\nexport const handlers: Handlers = {",
  ],
  [
    'const shared = globalThis;',
    'const shared = globalThis as unknown as { receiver?: ReturnType<typeof start> };',
  ],
  ['let receiver;', 'let receiver: ReturnType<typeof start> | undefined;'],
  ['POST(request)', 'POST(request: Request)'],
  ['({ request })', '({ request }: { request: Request })'],
];

const NODE_TEST = "import assert from 'node:assert/strict';\nimport { test } from 'node:test';";

/** What the test has with another runner than that of Node.js. */
const RUNNERS: Readonly<Record<'vitest' | 'jest', readonly Replacement[]>> = {
  vitest: runnerLines('vitest'),
  jest: runnerLines('@jest/globals'),
};

function runnerLines(module: string): Replacement[] {
  return [
    [NODE_TEST, `import { expect, test } from '${module}';`],
    ['assert.equal(app.handled.length, 2);', 'expect(app.handled).toHaveLength(2);'],
  ];
}

/** Returns a script with types. */
export function typed(text: string): string {
  return replaced(text, TYPES);
}

/** Returns a script of ES modules for CommonJS, where `await` needs an async function. */
export function withRequire(text: string): string {
  return text
    .replaceAll(/^import (.+) from ('.+');$/gm, 'const $1 = require($2);')
    .replace(/^await (.+;)$/m, 'await $1 // in an async function, before the app listens');
}

/** Returns a test for a runner. */
export function forRunner(text: string, runner: 'node' | 'vitest' | 'jest'): string {
  return runner === 'node' ? text : replaced(text, RUNNERS[runner]);
}

/**
 * Returns a script whose files have new names.
 *
 * @param names - the new name of each file
 * @param style - how an import names a file: as it is compiled, or without an extension
 */
export function renamed(
  text: string,
  names: ReadonlyMap<string, string>,
  style: 'compiled' | 'bundled',
): string {
  const byName = new Map(
    [...names]
      .map((pair) => pair.map((one) => posix.basename(one)))
      .map(([from = '', to = '']) => [from, to]),
  );
  return text.replaceAll(
    /(from |import\(|, )'((?:\.{1,2}|\$lib)\/(?:[^']*\/)?)([^'/]+)'/g,
    (whole: string, keyword: string, folder: string, file: string) => {
      const name = byName.get(file);
      if (name === undefined) return whole;
      return `${keyword}'${folder}${keyword === ', ' ? name : imported(name, style)}'`;
    },
  );
}

function imported(name: string, style: 'compiled' | 'bundled'): string {
  if (style === 'bundled') return name.replace(/\.ts$/, '');
  return name.replace(/\.ts$/, '.js').replace(/\.mts$/, '.mjs');
}

function replaced(text: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((all, [before, after]) => all.replace(before, () => after), text);
}

import { posix } from 'node:path';

type Replacement = readonly [before: string, after: string];

/** The types of the scripts in the pages. */
const TYPES: readonly Replacement[] = [
  [
    'export const handlers = {',
    "import type { Handlers } from '@hookproof/receiver';\n\nexport const handlers: Handlers = {",
  ],
  [
    "import { createReceiver } from '@hookproof/receiver';\nimport { sqliteStore } from '@hookproof/receiver/sqlite';\nimport { handlers }",
    "import { createReceiver } from '@hookproof/receiver';\nimport type { Handlers, Receiver } from '@hookproof/receiver';\nimport { sqliteStore } from '@hookproof/receiver/sqlite';\nimport { handlers }",
  ],
  [
    'const shared = (globalThis.webhooks ??= { handlers: {} });',
    'interface Shared {\n  readonly handlers: Handlers;\n  receiver?: Promise<Receiver>;\n}\n\nconst shared: Shared = ((globalThis as { webhooks?: Shared }).webhooks ??= { handlers: {} });',
  ],
  ['startedReceiver() {', 'startedReceiver(): Promise<Receiver> {'],
  ['async function start() {', 'async function start(): Promise<Receiver> {'],
  ['POST(request)', 'POST(request: Request)'],
  ['({ request })', '({ request }: { request: Request })'],
];
/** What only the files with a shared receiver have. */
const SHARED = 'globalThis.webhooks';

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
    ["from 'vitest'", `from '${module}'`],
  ];
}

/** Returns a script with types. */
export function typed(text: string): string {
  const isShared = text.includes(SHARED);
  return replaced(
    text,
    TYPES.filter(([, after]) => isShared || !after.includes('Receiver')),
  );
}

/** Returns a script without `await` at its top level, which CommonJS does not have. */
export function withoutTopAwait(text: string, { isTyped }: { readonly isTyped: boolean }): string {
  return text.replaceAll(/^await /gm, isTyped ? 'void ' : '');
}

/** Returns a script of ES modules for CommonJS. */
export function withRequire(text: string): string {
  return withoutTopAwait(text, { isTyped: false }).replaceAll(
    /^import (.+) from ('.+');$/gm,
    'const $1 = require($2);',
  );
}

/** Returns the lines of a program that concern the receiver: what an app that has a program needs. */
export function receiverLines(program: string): string {
  const statements = program.split(/\n(?=[^\s})\]])/);
  const kept = statements.map((text) => text.trimEnd()).filter((text) => /receiver/.test(text));
  const imports = kept.filter((text) => text.startsWith('import '));
  const others = kept.filter((text) => !text.startsWith('import '));
  return [imports.join('\n'), others.join('\n')].join('\n\n');
}

/**
 * Returns a test for a runner.
 *
 * @param isCommonJs - whether the test becomes CommonJS. Jest loads an ES module there by `import()` alone, before Node.js 24.9
 */
export function forRunner(
  text: string,
  runner: 'node' | 'vitest' | 'jest',
  { isCommonJs }: { readonly isCommonJs: boolean },
): string {
  if (runner === 'node') return text;
  const forIt = replaced(text, RUNNERS[runner]);
  return runner === 'jest' && isCommonJs ? replaced(forIt, importedInTest(forIt)) : forIt;
}

/** The line that imports the package, in the test that needs it. */
function importedInTest(text: string): Replacement[] {
  const [line, names, module] = /^import (.+) from ('@hookproof\/.+');\n/m.exec(text) ?? [];
  if (line === undefined) return [];
  const start = 'async () => {\n';
  return [
    [line, ''],
    [start, `${start}  const ${names} = await import(${module});\n`],
  ];
}

/** How an import names a file: without an extension, with that of the compiled file, or with its own. */
export type ImportEnding = 'none' | 'as compiled' | 'as written';

/**
 * Returns a script whose files have new names.
 *
 * @param names - the new name of each file
 */
export function renamed(
  text: string,
  names: ReadonlyMap<string, string>,
  ending: ImportEnding,
): string {
  const byName = new Map(
    [...names]
      .map((pair) => pair.map((one) => posix.basename(one)))
      .flatMap(([from = '', to = '']) => [
        [from, to] as const,
        // A page in TypeScript names the compiled file.
        [from.replace(/\.ts$/, '.js'), to] as const,
      ]),
  );
  return text.replaceAll(
    /(from |import\(|, )'((?:\.{1,2}|\$lib)\/(?:[^']*\/)?)([^'/]+)'/g,
    (whole: string, keyword: string, folder: string, file: string) => {
      const name = byName.get(file);
      if (name === undefined) return whole;
      return `${keyword}'${folder}${keyword === ', ' ? name : imported(name, ending)}'`;
    },
  );
}

function imported(name: string, ending: ImportEnding): string {
  if (ending === 'none') return name.replace(/\.ts$/, '').replace(/\.mts$/, '.mjs');
  if (ending === 'as written') return name;
  return name.replace(/\.ts$/, '.js').replace(/\.mts$/, '.mjs');
}

function replaced(text: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((all, [before, after]) => all.replace(before, () => after), text);
}

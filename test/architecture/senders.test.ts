import { expect, test } from 'vitest';

import { importedFiles, sourceFile, sourceFiles } from './imports.ts';
import type { SourceFile } from './imports.ts';

const SRC = 'receiver/src/';

/** The files of the receiver that are particular to one sender. */
const SENDERS = {
  platform:
    /^(?:(?:fetch-run|generated|runs)\/|order\/(?!timeline\.ts$)|explain\/senders\/platform\.ts$|verify\/(?:decode-event|event-shape|headers|index|verifier|verify|verify-request)\.ts$)/,
  'standard-webhooks': /^(?:sources|explain\/senders)\/standard-webhooks\.ts$/,
  stripe: /^(?:sources|explain\/senders)\/stripe\.ts$/,
  github: /^(?:sources|explain\/senders)\/github\.ts$/,
} as const;

type Sender = keyof typeof SENDERS;

const ALL = Object.keys(SENDERS);

/** Which files know which senders, by how their path begins; every other file knows none. */
const KNOWS: Readonly<Record<string, readonly string[]>> = {
  // The platform: its API, its events, their order, and how they are verified and handled.
  'fetch-run/': ['platform'],
  'order/': ['platform'],
  'runs/': ['platform'],
  'verify/': ['platform'],
  'verify-web/': ['platform'],
  // Each source alone loads what explains its refusals.
  'sources/standard-webhooks.ts': ['standard-webhooks'],
  'sources/stripe.ts': ['stripe'],
  'sources/github.ts': ['github'],
  // Doors, and what serves the development of apps.
  'create-receiver.ts': ['platform'],
  'index.ts': ['platform'],
  'several-sources.ts': ['platform'],
  'explain/': ALL,
  'testing/': ALL,
};

/** The imports of files by which a file knows a sender that the table does not give it. */
function wrongImports(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const [, known = []] =
      Object.entries(KNOWS).find(([start]) => file.path.startsWith(SRC + start)) ?? [];
    return importedFiles(file)
      .filter((path) => sendersIn(path).some((sender) => !known.includes(sender)))
      .map((path) => `${file.path} imports ${path}`);
  });
}

function sendersIn(path: string): readonly string[] {
  const within = path.startsWith(SRC) ? path.slice(SRC.length) : path;
  return (Object.keys(SENDERS) as Sender[]).filter((sender) => SENDERS[sender].test(within));
}

test('nothing else in the receiver knows a sender', () => {
  const files = sourceFiles('receiver/src');
  // Each pattern means files that exist.
  expect(new Set(files.flatMap(({ path }) => sendersIn(path)))).toEqual(new Set(ALL));
  expect(wrongImports(files)).toEqual([]);
});

const found = (path: string, text: string): string[] =>
  wrongImports([sourceFile(SRC + path, text)]);

test('an import of a sender is found in each form', () => {
  const type = "import type { Run } from '../runs/run.ts';";
  expect(found('worker/a.ts', type)).toEqual([
    'receiver/src/worker/a.ts imports receiver/src/runs/run.ts',
  ]);
  expect(found('a.ts', "export const a = () => import('./sources/stripe.ts');")).toHaveLength(1);
  expect(found('sources/stripe.ts', "export { github } from './github.ts';")).toHaveLength(1);
  expect(found('processing/a.ts', "export type { Timeline } from '../order/timeline.ts';")).toEqual(
    [],
  );
});

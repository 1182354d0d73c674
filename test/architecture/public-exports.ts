import { posix } from 'node:path';

import { parseSync } from 'oxc-parser';

import { readText } from './source-files.ts';

export const ROOMS = ['spec', 'receiver', 'server-reference', 'conformance'] as const;

export type Room = (typeof ROOMS)[number];

/** A function, class or constant that a room publishes. */
export interface PublicExport {
  readonly room: Room;
  readonly name: string;
  /** The file with its declaration. */
  readonly path: string;
  /** The code of each `@example` in its doc comment. */
  readonly examples: readonly string[];
  /** The requirements that its doc comment names. */
  readonly requirements: readonly string[];
}

/** What one module exports: a declaration of its own, or a name of another module. */
type Exported = { readonly docs: string } | { readonly from: string; readonly name: string };

/**
 * Returns the values that the manifest's `exports` of a room publish, each once. Types are left out:
 * a type alone does nothing, and the examples of the functions that accept or return it compile
 * against it.
 */
export function publicExports(room: Room): readonly PublicExport[] {
  const manifest: { exports: Record<string, string | { types: string }> } = JSON.parse(
    readText(`${room}/package.json`),
  );
  const found = new Map<string, PublicExport>();
  for (const conditions of Object.values(manifest.exports)) {
    if (typeof conditions === 'string') continue;
    const entry = posix.join(
      room,
      conditions.types.replace('/dist/', '/src/').replace('.d.ts', '.ts'),
    );
    for (const name of exportsOf(entry).keys()) {
      const { path, docs } = declarationOf(entry, name);
      const text = docs.replaceAll(/^ *\* ?/gm, '');
      const examples = examplesIn(text);
      found.set(`${path} ${name}`, {
        room,
        name,
        path,
        examples,
        requirements: requirementsIn(text),
      });
    }
  }
  return [...found.values()];
}

function declarationOf(path: string, name: string): { path: string; docs: string } {
  const exported = exportsOf(path).get(name);
  if (exported === undefined) throw new Error(`${path} must export ${name}, got no such export`);
  return 'docs' in exported
    ? { path, docs: exported.docs }
    : declarationOf(exported.from, exported.name);
}

const exportsByPath = new Map<string, ReadonlyMap<string, Exported>>();

function exportsOf(path: string): ReadonlyMap<string, Exported> {
  const known = exportsByPath.get(path);
  if (known !== undefined) return known;
  const read = readExports(path, readText(path));
  exportsByPath.set(path, read);
  return read;
}

/** Reads the exported values of one module; exported so that the test can show it a module. */
export function readExports(path: string, text: string): ReadonlyMap<string, Exported> {
  const { program, comments } = parseSync(path, text);
  const exports = new Map<string, Exported>();
  for (const statement of program.body) {
    if (statement.type === 'ExportAllDeclaration' && statement.exportKind === 'value') {
      throw new Error(`${path} must export values by name, got export *`);
    }
    if (statement.type !== 'ExportNamedDeclaration' || statement.exportKind === 'type') continue;
    const docs = comments.findLast(
      ({ type, end }) =>
        type === 'Block' &&
        end <= statement.start &&
        text.slice(end, statement.start).trim() === '',
    );
    for (const name of declaredNames(statement.declaration)) {
      exports.set(name, { docs: docs?.value ?? '' });
    }
    for (const { local, exported, exportKind } of statement.specifiers) {
      if (exportKind === 'type') continue;
      if (statement.source === null || local.type !== 'Identifier') {
        throw new Error(`${path} must export at the declaration or from another module`);
      }
      const name = exported.type === 'Identifier' ? exported.name : exported.value;
      const from = posix.join(posix.dirname(path), statement.source.value);
      exports.set(name, { from, name: local.name });
    }
  }
  return exports;
}

type Declaration = Extract<
  ReturnType<typeof parseSync>['program']['body'][number],
  { type: 'ExportNamedDeclaration' }
>['declaration'];

function declaredNames(declaration: Declaration): readonly string[] {
  if (declaration?.type === 'VariableDeclaration') {
    return declaration.declarations.flatMap(({ id }) =>
      id.type === 'Identifier' ? [id.name] : [],
    );
  }
  const isNamed =
    declaration?.type === 'FunctionDeclaration' || declaration?.type === 'ClassDeclaration';
  return isNamed && declaration.id !== null ? [declaration.id.name] : [];
}

/** Returns the code in the fence after each `@example`. */
function examplesIn(docs: string): readonly string[] {
  return [...docs.matchAll(/^@example\b[^`]*```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
}

/** Returns the ids of the paragraph that begins with `Requirements:`. */
function requirementsIn(docs: string): readonly string[] {
  const [paragraph = ''] = /^Requirements: (?:.+\n)+/m.exec(docs) ?? [];
  return [...paragraph.matchAll(/`([^`]+)`/g)].map(([, id = '']) => id);
}

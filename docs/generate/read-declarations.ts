import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import { parseSync } from 'oxc-parser';

import { ROOT } from './root.ts';

/** An exported declaration of a `.d.ts` file. */
export interface Declaration {
  readonly path: string;
  readonly name: string;
  readonly isType: boolean;
  /** The text of its doc comment, without asterisks. */
  readonly docs: string;
  /** Its code without `export` and without private members. Overloads follow each other. */
  readonly code: string;
}

type Program = ReturnType<typeof parseSync>['program'];
type ExportStatement = Extract<Program['body'][number], { type: 'ExportNamedDeclaration' }>;
type ExportedName = ExportStatement['specifiers'][number]['exported'];

/** What a module exports under a name: a declaration of its own, or a name of another module. */
type Exported = Declaration | OfOtherModule;

interface OfOtherModule {
  readonly from: string;
  readonly name: string;
  /** Whether only the type of a value is exported. */
  readonly isType: boolean;
}

const modules = new Map<string, ReadonlyMap<string, Exported>>();

/** Returns the declarations that a `.d.ts` file exports, sorted by name, also those of other modules. */
export function declarationsOf(path: string): readonly Declaration[] {
  return [...exportsOf(path).keys()].toSorted().map((name) => declarationOf(path, name));
}

function declarationOf(path: string, name: string): Declaration {
  const exported = exportsOf(path).get(name);
  if (exported === undefined) throw new Error(`${path} must export ${name}, got no such export.`);
  if ('code' in exported) return exported;
  const declaration = declarationOf(exported.from, exported.name);
  return { ...declaration, isType: declaration.isType || exported.isType };
}

function exportsOf(path: string): ReadonlyMap<string, Exported> {
  const known = modules.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(join(ROOT, path), 'utf8');
  const { program, comments } = parseSync(path, text);
  const exports = new Map<string, Exported>();
  for (const statement of program.body) {
    if (statement.type === 'ExportAllDeclaration') {
      const from = otherModule(path, statement.source.value);
      for (const name of exportsOf(from).keys())
        exports.set(name, { from, name, isType: statement.exportKind === 'type' });
    } else if (statement.type === 'ExportNamedDeclaration') {
      const before = comments.findLast(
        ({ end }) => end <= statement.start && text.slice(end, statement.start).trim() === '',
      );
      for (const [name, exported] of readExport(path, text, statement, before?.value ?? '')) {
        exports.set(name, joined(exports.get(name), exported));
      }
    }
  }
  modules.set(path, exports);
  return exports;
}

/** The names of one export statement. */
function readExport(
  path: string,
  text: string,
  { start, end, declaration, source, specifiers, exportKind }: ExportStatement,
  comment: string,
): readonly (readonly [string, Exported])[] {
  if (declaration !== null) {
    const { name, isType } = declared(declaration);
    const docs = comment.replaceAll(/^ *\* ?/gm, '').trim();
    return [[name, { path, name, isType, docs, code: codeOf(text.slice(start, end)) }]];
  }
  if (source === null) return [];
  const from = otherModule(path, source.value);
  return specifiers.map((one) => {
    const isType = exportKind === 'type' || one.exportKind === 'type';
    return [nameOf(one.exported), { from, name: nameOf(one.local), isType }];
  });
}

function declared(declaration: NonNullable<ExportStatement['declaration']>): {
  readonly name: string;
  readonly isType: boolean;
} {
  const id =
    declaration.type === 'VariableDeclaration' ? declaration.declarations[0]?.id : declaration.id;
  if (id?.type !== 'Identifier')
    throw new Error(`An export must have a name, got ${declaration.type}.`);
  const isType = /^TS(Interface|TypeAlias)/.test(declaration.type);
  return { name: id.name, isType };
}

/** An overload continues the declaration before it. */
function joined(first: Exported | undefined, next: Exported): Exported {
  if (first === undefined || !('code' in first) || !('code' in next)) return next;
  return { ...first, code: `${first.code}\n${next.code}` };
}

function codeOf(statement: string): string {
  return statement
    .replace(/^export (declare )?/, '')
    .replaceAll(/^ +(#private|private .*);\n/gm, '');
}

function nameOf(name: ExportedName): string {
  return name.type === 'Literal' ? name.value : name.name;
}

function otherModule(path: string, specifier: string): string {
  if (!specifier.startsWith('.')) {
    throw new Error(`${path} must export its own modules, got ${specifier}.`);
  }
  return posix.join(posix.dirname(path), specifier).replace(/\.ts$/, '.d.ts');
}

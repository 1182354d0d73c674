import { parseSync } from 'oxc-parser';

/** What the architecture tests ask of one file's text. */
export interface SourceText {
  readonly lines: number;
  /** Every module named by an import, an export-from, a dynamic import or an import type. */
  readonly imports: readonly string[];
  /** Those of them that exist at run time. */
  readonly valueImports: readonly string[];
  /** Whether the file reads a member of the global `process`. */
  readonly readsProcess: boolean;
  readonly functions: readonly SourceFunction[];
}

/** A function, method or arrow with braces. */
export interface SourceFunction {
  readonly name: string;
  /** Line of the opening brace. */
  readonly line: number;
  /** Lines between the braces, those of nested functions included. */
  readonly length: number;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const IMPORTING = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

export function readSource(path: string, text: string): SourceText {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message ?? ''}`);
  const imports: string[] = [];
  const valueImports: string[] = [];
  const functions: SourceFunction[] = [];
  let readsProcess = false;
  for (const { node, name } of walk(program)) {
    if (IMPORTING.has(node.type)) {
      const { source } = node;
      if (!isNode(source) || typeof source['value'] !== 'string') continue;
      imports.push(source['value']);
      const isType = [node['importKind'], node['exportKind']].includes('type');
      if (!isType && node.type !== 'TSImportType') valueImports.push(source['value']);
    }
    if (node.type === 'MemberExpression') {
      const { object } = node;
      if (isNode(object) && nameOf(object) === 'process') readsProcess = true;
    }
    if (isNode(node['body']) && /Function/.test(node.type)) {
      functions.push({ name, ...extent(text, node['body']) });
    }
  }
  return { lines: text.split('\n').length - 1, imports, valueImports, readsProcess, functions };
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** Every node, with the name that it or the nearest declaration around it has. */
function* walk(value: unknown, around = '(top)'): Generator<{ node: Node; name: string }> {
  if (Array.isArray(value)) {
    for (const item of value) yield* walk(item, around);
  } else if (isNode(value)) {
    const name = nameOf(value['id']) ?? nameOf(value['key']) ?? around;
    yield { node: value, name };
    for (const child of Object.values(value)) {
      if (typeof child === 'object' && child !== null) yield* walk(child, name);
    }
  }
}

function nameOf(value: unknown): string | undefined {
  if (!isNode(value)) return undefined;
  return value.type === 'Identifier' || value.type === 'PrivateIdentifier'
    ? String(value['name'])
    : undefined;
}

function extent(text: string, { start, end }: Node): { line: number; length: number } {
  const newlines = (until: number): number => text.slice(0, until).split('\n').length;
  const line = newlines(start);
  return { line, length: Math.max(0, newlines(end) - line - 1) };
}

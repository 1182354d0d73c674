import { parseSync } from 'oxc-parser';

/** What the architecture tests ask of one file's text. */
export interface SourceText {
  readonly lines: number;
  /** Every module named by an import, an export-from, a dynamic import or an import type. */
  readonly imports: readonly string[];
  /** Those of them that exist at run time. */
  readonly valueImports: readonly string[];
  /** Text of every `require(…)`, and of every dynamic import whose specifier is no literal. */
  readonly unnamedImports: readonly string[];
  /** Whether the file reads the global `process`. */
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
  const textOf = ({ start, end }: Node): string => text.slice(start, end);
  const imports: string[] = [];
  const valueImports: string[] = [];
  const unnamedImports: string[] = [];
  const functions: SourceFunction[] = [];
  let readsProcess = false;
  for (const { node, name } of walk(program)) {
    if (IMPORTING.has(node.type)) {
      const { source } = node;
      if (!isNode(source) || typeof source['value'] !== 'string') {
        if (node.type === 'ImportExpression') unnamedImports.push(textOf(node));
        continue;
      }
      imports.push(source['value']);
      const isType = [node['importKind'], node['exportKind']].includes('type');
      if (!isType && node.type !== 'TSImportType') valueImports.push(source['value']);
    }
    if (node.type === 'CallExpression' && nameOf(node['callee']) === 'require') {
      unnamedImports.push(textOf(node));
    }
    if (readsGlobalProcess(node)) readsProcess = true;
    if (isNode(node['body']) && /Function/.test(node.type)) {
      functions.push({ name, ...extent(text, node['body']) });
    }
  }
  const lines = text.split('\n').length - 1;
  return { lines, imports, valueImports, unnamedImports, readsProcess, functions };
}

/** Whether a node holds the global `process` as a value, by its name or through the global object. */
function readsGlobalProcess(node: Node): boolean {
  if (node.type === 'MemberExpression') {
    const { object, property, computed } = node;
    if (isProcess(object) || (computed === true && isProcess(property))) return true;
    return isGlobalObject(object) && keyOf(property) === 'process';
  }
  if (node.type === 'VariableDeclarator' && isGlobalObject(node['init']) && isNode(node['id'])) {
    const { properties } = node['id'];
    return (
      Array.isArray(properties) &&
      properties.some((property) => isNode(property) && keyOf(property['key']) === 'process')
    );
  }
  const fields = VALUE_FIELDS[node.type] ?? [];
  return fields.some((field) => [node[field]].flat().some(isProcess));
}

/** Fields of a node that hold expressions, for the forms in which a global is passed as a whole. */
const VALUE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  ArrayExpression: ['elements'],
  ArrowFunctionExpression: ['body'],
  AssignmentExpression: ['right'],
  AssignmentPattern: ['right'],
  BinaryExpression: ['left', 'right'],
  CallExpression: ['callee', 'arguments'],
  ConditionalExpression: ['test', 'consequent', 'alternate'],
  LogicalExpression: ['left', 'right'],
  NewExpression: ['arguments'],
  Property: ['value'],
  PropertyDefinition: ['value'],
  ReturnStatement: ['argument'],
  SpreadElement: ['argument'],
  TSAsExpression: ['expression'],
  TSNonNullExpression: ['expression'],
  TSSatisfiesExpression: ['expression'],
  UnaryExpression: ['argument'],
  VariableDeclarator: ['init'],
};

function isProcess(value: unknown): boolean {
  return nameOf(value) === 'process';
}

function isGlobalObject(value: unknown): boolean {
  return ['globalThis', 'global'].includes(nameOf(value) ?? '');
}

/** The name of a property, written as `name` or as `'name'`. */
function keyOf(value: unknown): string | undefined {
  if (!isNode(value)) return undefined;
  return typeof value['value'] === 'string' ? value['value'] : nameOf(value);
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

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

export const ROOT: string = fileURLToPath(new URL('../../', import.meta.url));

/** Folders that hold shipped TypeScript, longest first so that a nested project is found before its room. */
export const SOURCE_FOLDERS = [
  'receiver/examples',
  'spec/generate',
  'test/bench',
  'spec/src',
  'receiver/src',
  'server-reference/src',
  'conformance/src',
  'bin',
] as const;

export interface SourceFile {
  /** Path from the project's root, with forward slashes. */
  readonly path: string;
  readonly folder: (typeof SOURCE_FOLDERS)[number];
  readonly lines: number;
  /** Every module named by an import, an export-from, a dynamic import or an import type. */
  readonly imports: readonly string[];
  /** Whether the file reads a member of the global `process`. */
  readonly readsProcess: boolean;
}

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function* walk(value: unknown): Generator<Node> {
  if (Array.isArray(value)) {
    for (const item of value) yield* walk(item);
  } else if (isNode(value)) {
    yield value;
    for (const child of Object.values(value)) {
      if (typeof child === 'object' && child !== null) yield* walk(child);
    }
  }
}

const IMPORTING = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

/** Reads what the architecture test asks of one file's text; exported so that the test can show it a bad file. */
export function readSource(path: string, text: string): Omit<SourceFile, 'folder'> {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message ?? ''}`);
  const imports: string[] = [];
  let readsProcess = false;
  for (const node of walk(program)) {
    if (IMPORTING.has(node.type)) {
      const source = node['source'];
      if (isNode(source) && typeof source['value'] === 'string') imports.push(source['value']);
    }
    if (node.type === 'MemberExpression') {
      const object = node['object'];
      if (isNode(object) && object.type === 'Identifier' && object['name'] === 'process') {
        readsProcess = true;
      }
    }
  }
  return { path, lines: text.split('\n').length - 1, imports, readsProcess };
}

function isSource(path: string): boolean {
  return (
    path.endsWith('.ts') &&
    !path.endsWith('.d.ts') &&
    !/(^|\/)(dist|generated|node_modules)\//.test(path)
  );
}

/** Every hand-written TypeScript file that ships or builds what ships. */
export function sourceFiles(): SourceFile[] {
  const seen = new Set<string>();
  const files: SourceFile[] = [];
  for (const folder of SOURCE_FOLDERS) {
    const base = join(ROOT, folder);
    for (const name of readdirSync(base, { recursive: true, encoding: 'utf8' })) {
      const path = relative(ROOT, join(base, name)).split(sep).join('/');
      if (!isSource(path) || seen.has(path) || !statSync(join(ROOT, path)).isFile()) continue;
      seen.add(path);
      files.push({ ...readSource(path, readFileSync(join(ROOT, path), 'utf8')), folder });
    }
  }
  return files;
}

import { format } from 'prettier';

import { docsMarkdown } from './doc-comment.ts';
import { entryPoints } from './entry-points.ts';
import type { EntryPoint, Room } from './entry-points.ts';
import { declarationsOf } from './read-declarations.ts';
import type { Declaration } from './read-declarations.ts';

export interface Page {
  readonly name: string;
  readonly text: string;
}

/** The specification of these types is a document, so a page lists only their names. */
const GENERATED_TYPES = /^spec\/dist\/generated\/.*types\.d\.ts$/;

/** A declaration that several modules export is described on the page of the first. */
type Homes = ReadonlyMap<string, EntryPoint>;

/** Returns the pages of a package's API: one for each module that users import, and an index. */
export async function apiPages(room: Room): Promise<readonly Page[]> {
  const entries = entryPoints(room);
  const homes = new Map<string, EntryPoint>();
  for (const entry of entries) {
    for (const one of declarationsOf(entry.path)) {
      if (!homes.has(keyOf(one))) homes.set(keyOf(one), entry);
    }
  }
  const pages = entries.map((entry) => ({ name: entry.page, text: pageOf(entry, homes) }));
  return Promise.all(
    [{ name: 'README.md', text: indexOf(entries, homes) }, ...pages].map(
      async ({ name, text }) => ({
        name,
        text: await format(text, { parser: 'markdown', singleQuote: true, printWidth: 100 }),
      }),
    ),
  );
}

function keyOf({ path, name }: Declaration): string {
  return `${path} ${name}`;
}

function indexOf(entries: readonly EntryPoint[], homes: Homes): string {
  const rows = entries.map((entry) => {
    const { specifier, path, page } = entry;
    const values = declarationsOf(path).filter(
      (one) => !one.isType && homes.get(keyOf(one)) === entry,
    );
    const names = values.map((one) => linkTo(one, page));
    return `- [${specifier}](${page}): ${names.join(', ')}`;
  });
  return [
    '# API reference',
    'A page for each module that you can import, with its functions, classes, constants and types. ' +
      'The pages are made from the doc comments.',
    rows.join('\n'),
  ].join('\n\n');
}

function pageOf(entry: EntryPoint, homes: Homes): string {
  const all = declarationsOf(entry.path);
  const own = all.filter((one) => homes.get(keyOf(one)) === entry);
  const values = own.filter(({ isType }) => !isType);
  const types = own.filter(({ isType, path }) => isType && !GENERATED_TYPES.test(path));
  return [
    `# ${entry.specifier}`,
    '[All modules](README.md)',
    ...values.map(section),
    ...(types.length === 0 ? [] : ['## Types']),
    ...types.map(section),
    ...generatedTypes(own),
    ...elsewhere(entry, all, homes),
  ].join('\n\n');
}

/** A class and a type can differ only in case, which the anchor of a heading ignores. */
function headingOf({ name, isType }: Pick<Declaration, 'name' | 'isType'>): string {
  return isType ? `Type ${name}` : name;
}

function linkTo(one: Declaration, page: string): string {
  const anchor = headingOf(one).toLowerCase().replace(' ', '-');
  return `[\`${one.name}\`](${page}#${anchor})`;
}

function section({ name, isType, docs, code }: Declaration): string {
  return [
    `${isType ? '###' : '##'} ${headingOf({ name, isType })}`,
    `\`\`\`ts\n${code}\n\`\`\``,
    ...(docs === '' ? [] : [docsMarkdown(docs)]),
  ].join('\n\n');
}

function generatedTypes(own: readonly Declaration[]): readonly string[] {
  const names = own.filter(({ path }) => GENERATED_TYPES.test(path)).map(({ name }) => name);
  if (names.length === 0) return [];
  return ['## Types of the OpenAPI document', names.map((name) => `\`${name}\``).join(', ')];
}

/** The links to the declarations that other pages describe. */
function elsewhere(
  entry: EntryPoint,
  all: readonly Declaration[],
  homes: Homes,
): readonly string[] {
  const links = all.flatMap((one) => {
    const home = homes.get(keyOf(one));
    if (home === undefined || home === entry) return [];
    return linkTo(one, home.page);
  });
  return links.length === 0 ? [] : ['## Also exported', links.join(', ')];
}

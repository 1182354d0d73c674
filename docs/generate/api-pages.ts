import { format } from 'prettier';

import { docsMarkdown } from './doc-comment.ts';
import { entryPoints } from './entry-points.ts';
import type { EntryPoint, Room } from './entry-points.ts';
import { declarationsOf } from './read-declarations.ts';
import type { Declaration } from './read-declarations.ts';
import { topicsOf } from './topics.ts';
import type { Topic } from './topics.ts';

export interface Page {
  readonly name: string;
  readonly text: string;
}

/** The specification of these types is a document, so a page lists only their names. */
const GENERATED_TYPES = /^spec\/dist\/generated\/.*types\.d\.ts$/;

/** The page of each declaration. One that several modules export is on the page of the first. */
type Homes = ReadonlyMap<string, string>;

/** Returns the pages of a package's API: for each module that users import, and an index. */
export async function apiPages(room: Room): Promise<readonly Page[]> {
  const entries = entryPoints(room);
  const homes = new Map<string, string>();
  for (const entry of entries) {
    for (const one of declarationsOf(entry.path)) {
      if (!homes.has(keyOf(one))) homes.set(keyOf(one), homeOf(one, entry));
    }
  }
  const pages = entries.flatMap((entry) => pagesOf(entry, homes));
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

/** The page of a declaration that this module is the first to export. */
function homeOf(one: Declaration, { specifier, page }: EntryPoint): string {
  return topicsOf(specifier).find(({ files }) => files.test(one.path))?.page ?? page;
}

function indexOf(entries: readonly EntryPoint[], homes: Homes): string {
  const rows = entries.flatMap((entry) => {
    const { specifier, page } = entry;
    const topics = topicsOf(specifier);
    if (topics.length === 0) return `- [${specifier}](${page}): ${valuesOn(page, entry, homes)}`;
    return [`- [${specifier}](${page}):`, ...topics.map((topic) => topicRow(topic, entry, homes))];
  });
  return [
    '# API reference',
    'The pages of each module that you can import, with its functions, classes, constants and types. ' +
      'They are made from the doc comments.',
    rows.join('\n'),
  ].join('\n\n');
}

function topicRow({ title, page }: Topic, entry: EntryPoint, homes: Homes): string {
  const values = valuesOn(page, entry, homes);
  return `  - [${title}](${page})${values === '' ? '' : `: ${values}`}`;
}

/** The links to the functions, classes and constants of a module that are on a page. */
function valuesOn(page: string, entry: EntryPoint, homes: Homes): string {
  const values = declarationsOf(entry.path).filter(
    (one) => !one.isType && homes.get(keyOf(one)) === page,
  );
  return values.map((one) => linkTo(one, page)).join(', ');
}

/** A module has one page, or a page that lists its topics and one for each of them. */
function pagesOf(entry: EntryPoint, homes: Homes): readonly Page[] {
  const { specifier, page } = entry;
  const all = declarationsOf(entry.path);
  const on = (name: string): readonly Declaration[] =>
    all.filter((one) => homes.get(keyOf(one)) === name);
  const topics = topicsOf(specifier);
  const rows = topics.map(
    ({ title, page: name }) =>
      `- [${title}](${name}): ${on(name)
        .map((one) => linkTo(one, name))
        .join(', ')}`,
  );
  const modulePage = [
    `# ${specifier}`,
    '[All modules](README.md)',
    ...(rows.length === 0 ? [] : [rows.join('\n')]),
    ...sections(on(page)),
    ...elsewhere(all, homes, [page, ...topics.map(({ page: name }) => name)]),
  ];
  return [
    { name: page, text: modulePage.join('\n\n') },
    ...topics.map(({ title, page: name }) => ({
      name,
      text: [`# ${title}`, `Part of [${specifier}](${page}).`, ...sections(on(name))].join('\n\n'),
    })),
  ];
}

function sections(own: readonly Declaration[]): readonly string[] {
  const values = own.filter(({ isType }) => !isType);
  const types = own.filter(({ isType, path }) => isType && !GENERATED_TYPES.test(path));
  return [
    ...values.map(section),
    ...(types.length === 0 ? [] : ['## Types']),
    ...types.map(section),
    ...generatedTypes(own),
  ];
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

/** The links to what the pages of other modules describe. */
function elsewhere(
  all: readonly Declaration[],
  homes: Homes,
  own: readonly string[],
): readonly string[] {
  const links = all.flatMap((one) => {
    const home = homes.get(keyOf(one));
    return home === undefined || own.includes(home) ? [] : linkTo(one, home);
  });
  return links.length === 0 ? [] : ['## Also exported', links.join(', ')];
}

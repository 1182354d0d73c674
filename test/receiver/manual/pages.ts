import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOM = fileURLToPath(new URL('../../../receiver/', import.meta.url));

/** One page of the manual. */
export interface Page {
  /** Below `receiver/`, without extension: `README`, `docs/stores`. */
  readonly name: string;
  readonly text: string;
  /** The code of each `ts` block. */
  readonly blocks: readonly string[];
}

/** Reads the manual of the receiver: its README and the pages in `docs`. */
export function manual(): readonly Page[] {
  const docs = readdirSync(path.join(ROOM, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
  return ['README.md', ...docs].map((name) => {
    const text = readFileSync(path.join(ROOM, name), 'utf8');
    const blocks = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = '']) => code);
    return { name: name.replace('.md', ''), text, blocks };
  });
}

/** Returns one page by its name. */
export function page(name: string): Page {
  const found = manual().find((one) => one.name === name);
  if (found === undefined) throw new Error(`the manual has no page ${name}`);
  return found;
}

/** Returns the one block of a page that contains a text. */
export function blockWith(name: string, text: string): string {
  const [block, ...more] = page(name).blocks.filter((code) => code.includes(text));
  if (block === undefined || more.length > 0) {
    throw new Error(
      `${name} must have one block with ${text}, got ${more.length + (block ? 1 : 0)}`,
    );
  }
  return block;
}

/** Returns the first and second cells of the tables under a heading, whose first cells are code. */
export function rows(name: string, heading: string): readonly (readonly [string, string])[] {
  const section = page(name).text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `(\w+)` +\| (.*?) +\|/gm)].map(
    ([, first = '', second = '']) => [first, second] as const,
  );
}

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, it } from 'vitest';

import { ROOT } from '../../compiled-program.ts';
import { manual } from './pages.ts';

/** Returns the anchors of a page, as the forge makes them of its headings. */
function anchors(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

const REPOSITORY = 'https://github.com/hookproof/hookproof/blob/main/';

const pages: ReadonlyMap<string, string> = new Map(
  manual().map(({ name, text }) => [`${name}.md`, text] as const),
);

/** Returns the page that a link on another names: one beside it, or one of the repository. */
function linkedPage(name: string, file: string): string {
  if (file === '') return pages.get(name) ?? '';
  if (!file.startsWith(REPOSITORY)) {
    return pages.get(path.posix.join(path.posix.dirname(name), file)) ?? '';
  }
  const page = path.join(ROOT, file.slice(REPOSITORY.length));
  return existsSync(page) ? readFileSync(page, 'utf8') : '';
}

it.each([...pages])('%s links to headings that exist', (name, text) => {
  const links = [...text.matchAll(/\]\(([^)#\s]*)#([^)\s]+)\)/g)];
  const broken = links.filter(
    ([, file = '', anchor = '']) => !anchors(linkedPage(name, file)).has(anchor),
  );
  expect(broken.map(([link]) => link)).toEqual([]);
});

/** What npm packs beside the README. */
const PACKED = new Set(['docs', 'examples']);

it.each([...pages])(
  '%s links to what is packed, or to the repository by its address',
  (name, text) => {
    const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = '']) => link);
    const own = links.filter((link) => link.startsWith(REPOSITORY));
    const missing = own.filter(
      (link) => !existsSync(path.join(ROOT, link.slice(REPOSITORY.length))),
    );
    const relative = links.filter((link) => !/^[a-z]+:/.test(link));
    const left = relative.filter((link) => {
      const target = path.posix.join(path.posix.dirname(name), link);
      return target !== 'README.md' && !PACKED.has(target.split('/', 1)[0] ?? '');
    });
    expect({ missing, left }).toEqual({ missing: [], left: [] });
  },
);

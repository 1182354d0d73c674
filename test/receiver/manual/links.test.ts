import { existsSync } from 'node:fs';
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

const pages: ReadonlyMap<string, string> = new Map(
  manual().map(({ name, text }) => [`${name}.md`, text] as const),
);

it.each([...pages])('%s links to headings that exist', (name, text) => {
  const links = [...text.matchAll(/\]\(([^)#\s]*)#([^)\s]+)\)/g)];
  const broken = links.filter(([, file = '', anchor = '']) => {
    const target = file === '' ? name : path.posix.join(path.posix.dirname(name), file);
    return !anchors(pages.get(target) ?? '').has(anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

/** What npm packs beside the README. */
const PACKED = new Set(['docs', 'examples']);
const REPOSITORY = 'https://github.com/hookproof/hookproof/blob/main/';

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

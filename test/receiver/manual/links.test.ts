import path from 'node:path';

import { expect, it } from 'vitest';

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

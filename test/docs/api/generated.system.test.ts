import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { ROOT } from '../../compiled-program.ts';
import { apiPages } from '../../../docs/generate/api-pages.ts';
import { docsMarkdown } from '../../../docs/generate/doc-comment.ts';
import { ROOMS } from '../../../docs/generate/entry-points.ts';

const FOLDER = join(ROOT, 'receiver/docs/api');
const rooms = await Promise.all(ROOMS.map(async (room) => ({ room, pages: await apiPages(room) })));

// Those of the other packages are not checked in: npm makes them when it packs.
test('the pages of the receiver are what `npm run generate` writes', () => {
  const pages = rooms.find(({ room }) => room === 'receiver')?.pages ?? [];
  const written = readdirSync(FOLDER).map((name) => [
    name,
    readFileSync(join(FOLDER, name), 'utf8'),
  ]);
  expect(Object.fromEntries(written)).toEqual(
    Object.fromEntries(pages.map(({ name, text }) => [name, text])),
  );
});

describe.each(rooms)('the pages of $room', ({ pages }) => {
  const anchors = new Map(pages.map(({ name, text }) => [name, anchorsOf(text)]));

  test.each(pages)('the links of $name lead to headings', ({ text }) => {
    const links = [...text.matchAll(/\]\(([\w-]+\.md)(?:#([\w-]+))?\)/g)];
    const broken = links.filter(([, page = '', anchor]) => {
      const headings = anchors.get(page);
      return headings === undefined || (anchor !== undefined && !headings.includes(anchor));
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  test.each(pages)('$name has each heading once', ({ text }) => {
    expect(anchorsOf(text)).toEqual([...new Set(anchorsOf(text))]);
  });
});

describe('a doc comment', () => {
  test('becomes text, parameters, errors and examples', () => {
    const docs = [
      'Does one thing. See {@link other}.',
      '',
      '@param one The first,',
      '  on two lines.',
      '@throws {TypeError} When it is wrong.',
      '@example',
      '```ts',
      'one();',
      '```',
    ];
    expect(docsMarkdown(docs.join('\n'))).toBe(
      [
        'Does one thing. See `other`.',
        '- `one`: The first, on two lines.\n- Throws `TypeError`: When it is wrong.',
        '```ts\none();\n```',
      ].join('\n\n'),
    );
  });
});

function anchorsOf(page: string): readonly string[] {
  const text = page.replaceAll(/^```[^]*?^```/gm, '');
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

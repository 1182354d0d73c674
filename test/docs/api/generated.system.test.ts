import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { ROOT } from '../../compiled-program.ts';
import { apiPages } from './api-pages.ts';
import { docsMarkdown } from './doc-comment.ts';

const FOLDER = join(ROOT, 'docs/api');
const pages = await apiPages();

// `npm run generate` runs this file with `-u`, which writes the pages.
test.each(pages)('docs/api/$name is what `npm run generate` writes', async ({ name, text }) => {
  await expect(text).toMatchFileSnapshot(join(FOLDER, name));
});

test('docs/api contains no other page', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(pages.map(({ name }) => name).toSorted());
});

test.each(pages)('the links of $name lead to headings', ({ text }) => {
  const anchors = new Map(pages.map((page) => [page.name, anchorsOf(page.text)]));
  const links = [...text.matchAll(/\]\(([\w-]+\.md)(?:#([\w-]+))?\)/g)];
  const broken = links.filter(
    ([, page = '', anchor]) =>
      !existsSync(join(FOLDER, page)) ||
      (anchor !== undefined && !anchors.get(page)?.includes(anchor)),
  );
  expect(broken.map(([link]) => link)).toEqual([]);
});

test.each(pages)('$name has each heading once', ({ text }) => {
  expect(anchorsOf(text)).toEqual([...new Set(anchorsOf(text))]);
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

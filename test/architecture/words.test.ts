import { expect, test } from 'vitest';

import { STYLE_PAGE, findInText, findWords, forbiddenWords, textFiles } from './forbidden-words.ts';
import { NOT_YET } from './not-yet.ts';
import { readText } from './source-files.ts';

const words = forbiddenWords(readText(STYLE_PAGE));
const files = textFiles().filter((path) => !NOT_YET.words.some((start) => path.startsWith(start)));

const TABLE = `
## Do not write

| do not write          | write   |
| --------------------- | ------- |
| \`foo bar\`, \`qux*\` | baz     |
| \`FOO_*\`             | \`MAX_\` |
| \`fooBarPasses\`      | other   |
`;

test('docs/style.md names words, each with what to write instead', () => {
  expect(words.length).toBeGreaterThan(20);
  expect(words.filter(({ instead }) => instead === '')).toEqual([]);
});

test('published texts and sources contain none of them', () => {
  expect(files.length).toBeGreaterThan(0);
  const found = files.flatMap((path) => findWords(path, words));
  expect(found.map(({ place, word }) => `${place} ${word}`)).toEqual([]);
});

test.each([
  ['a phrase', 'It is foo bar.', ['foo bar']],
  ['a phrase over two lines of a comment', '/**\n * It is foo\n * bar.', ['foo bar']],
  ['any case', 'Foo bar', ['foo bar']],
  ['a stem', 'It quxes, quxed and qux.', ['qux*', 'qux*', 'qux*']],
  ['a part of an identifier', 'const myQuxPlan = fooBarName;', ['foo bar', 'qux*']],
  ['a constant', 'export const FOO_ITEMS = 1;', ['FOO_*']],
  ['an identifier', 'await fooBarPasses();', ['foo bar', 'fooBarPasses']],
  ['no part of another word', 'food barn, foo, bars, aqux, BARFOO_ALL', []],
])('finds %s', (_what, text, expected) => {
  const found = findInText('a.ts', text, forbiddenWords(TABLE));
  expect(found.map(({ word }) => word)).toEqual(expected);
});

test('a word is accepted in a published id', () => {
  const quickly = forbiddenWords(TABLE.replace('foo bar', 'quickly'));
  const found = findInText('a.ts', 'receiver.answers-quickly\nquickly', quickly);
  expect(found).toEqual([{ place: 'a.ts:2', word: 'quickly' }]);
});

test('a finding names its file and line', () => {
  const [found] = findInText('a.ts', 'one\ntwo foo bar', forbiddenWords(TABLE));
  expect(found).toEqual({ place: 'a.ts:2', word: 'foo bar' });
});

test('a word that would be a pattern is refused', () => {
  expect(() => forbiddenWords(TABLE.replace('qux*', 'q.*x'))).toThrow(
    'docs/style.md: `q.*x` must be letters and spaces, with * at most at its end.',
  );
});

import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT, readText } from './source-files.ts';

/** A row of the table "Do not write" in docs/style.md. */
export interface ForbiddenWord {
  readonly word: string;
  readonly instead: string;
  readonly pattern: RegExp;
}

export interface Finding {
  readonly place: string;
  readonly word: string;
}

/** The page that defines the words. */
export const STYLE_PAGE = 'docs/style.md';

/** Pages that quote the words: the definitions, and the former names in the changelog and in its copies for npm. */
const QUOTING = /^(?:docs\/style\.md|(?:[a-z-]+\/)?CHANGELOG\.md)$/;

/** A requirement id that contains a word of the table. Ids never change. */
const PUBLISHED_ID = 'receiver.answers-quickly';

const HEADING = '## Do not write';
const TEXT_FILE = /\.(?:md|ts|tsx|mts|mjs|yaml|yml|json|svg|html|css|sh)$/;
const SKIPPED = /^(?:node_modules|dist|generated|\.git|package-lock\.json)$/;

/** Returns the words of the table, each with the pattern that finds it. */
export function forbiddenWords(page: string): ForbiddenWord[] {
  const table = page.slice(page.indexOf(HEADING));
  return [...table.matchAll(/^\| (`.*?) *\| (.*?) *\|$/gm)].flatMap(
    ([, words = '', instead = '']) =>
      [...words.matchAll(/`([^`]+)`/g)].map(([, word = '']) => ({
        word,
        instead,
        pattern: patternOf(word),
      })),
  );
}

/** Returns every text file of the repository, except generated, installed and quoting ones. */
export function textFiles(folder = ''): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (SKIPPED.test(entry.name) || QUOTING.test(path)) return [];
    if (entry.isDirectory()) return textFiles(path);
    return TEXT_FILE.test(entry.name) ? [path] : [];
  });
}

export function findWords(path: string, words: readonly ForbiddenWord[]): Finding[] {
  return findInText(path, `${path}\n${readText(path)}`, words, -1);
}

/**
 * Finds the words in prose and inside identifiers, also across the line breaks of a comment.
 *
 * @param firstLine - the number of the first line less one
 */
export function findInText(
  path: string,
  text: string,
  words: readonly ForbiddenWord[],
  firstLine = 0,
): Finding[] {
  const spaced = spaceIdentifiers(text.replaceAll(PUBLISHED_ID, ''));
  return words.flatMap(({ word, pattern }) =>
    [...spaced.matchAll(pattern)].map(({ index }) => {
      const line = firstLine + spaced.slice(0, index).split('\n').length;
      return { place: `${path}:${line}`, word };
    }),
  );
}

/** `fooBar` becomes `foo Bar`, so that a word inside a name is found as a word. */
function spaceIdentifiers(text: string): string {
  return text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2');
}

function patternOf(word: string): RegExp {
  if (!/^[a-z_ ]+\*?$/i.test(word)) {
    throw new TypeError(
      `${STYLE_PAGE}: \`${word}\` must be letters and spaces, with * at most at its end.`,
    );
  }
  const parts = spaceIdentifiers(word.replace(/\*$/, '')).split(' ');
  const end = word.endsWith('*') ? '' : '(?![a-z])';
  return new RegExp(`(?<![a-z])${parts.join(LINE_BREAK_OR_SPACE)}${end}`, 'gi');
}

/** Words of a phrase may stand on two lines, of which the second begins with a comment sign. */
const LINE_BREAK_OR_SPACE = String.raw`(?:[ \t-]+|[ \t]*\n[ \t]*(?:\*|\/\/|#|>)?[ \t]*)`;

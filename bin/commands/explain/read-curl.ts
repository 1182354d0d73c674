import { readFileSync } from 'node:fs';

import { UsageError } from '../../command-line/errors.ts';
import type { Header } from '../../saved/delivery-folder.ts';
import { shellWords } from './shell-words.ts';

/** The request that a curl line sends. */
export interface CurlRequest {
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

type BodyOption = 'stripped' | 'raw' | 'binary' | 'json';

/** The options that set the body, by how curl treats their value. */
const BODIES: Readonly<Record<string, BodyOption>> = {
  '-d': 'stripped',
  '--data': 'stripped',
  '--data-ascii': 'stripped',
  '--data-raw': 'raw',
  '--data-binary': 'binary',
  '--json': 'json',
};

/**
 * Reads the headers and the body of a curl line, as curl sends them: `-H`, `-d`, `--data-raw`, `--data-binary` and
 * `--json`, with quotes of a POSIX shell and `$'…'`. Other options are ignored. Runs nothing.
 *
 * @throws {UsageError} if the text begins with no curl command, or a file of it cannot be read
 */
export function readCurl(text: string, environment: NodeJS.ProcessEnv): CurlRequest {
  const words = shellWords(text, environment);
  while (words[0] === '$' || /^\w+=/.test(words[0] ?? '')) words.shift();
  if (!/(^|\/)curl(\.exe)?$/.test(words[0] ?? '')) {
    throw new UsageError('--curl must name a file with a curl command, but it begins otherwise.');
  }
  const headers: Header[] = [];
  const parts: Buffer[] = [];
  for (let index = 1; index < words.length; index += 1) {
    const { option, value, isNext } = optionAt(words, index);
    const kind = BODIES[option];
    if (isNext && (kind !== undefined || option === '-H')) index += 1;
    if (option === '-H') headers.push(...headerOf(value));
    else if (kind !== undefined) {
      if (kind !== 'json' && parts.length > 0) parts.push(Buffer.from('&'));
      parts.push(bodyOf(kind, value));
    }
  }
  return { headers, body: Buffer.concat(parts) };
}

/** A value follows a short option in the same word or in the next one. */
function optionAt(
  words: readonly string[],
  index: number,
): { option: string; value: string; isNext: boolean } {
  const word = words[index] ?? '';
  // Options without a value may precede it in one word, as in `-sSH`.
  const joined = /^-[a-zA-Z]+([Hd])$/.exec(word)?.[1];
  const name = word === '--header' ? '-H' : joined === undefined ? word : `-${joined}`;
  const attached = /^-[Hd]./.test(word) && joined === undefined;
  if (attached) return { option: word.slice(0, 2), value: word.slice(2), isNext: false };
  return { option: name, value: words[index + 1] ?? '', isNext: true };
}

/** `Name;` sends a header without a value, and `Name:` none. */
function headerOf(text: string): Header[] {
  const empty = /^([^:;]+);\s*$/.exec(text);
  if (empty !== null) return [[empty[1] ?? '', '']];
  const colon = text.indexOf(':');
  const value = text.slice(colon + 1).trim();
  return colon < 1 || value === '' ? [] : [[text.slice(0, colon).trim(), value]];
}

/** `-d @file` drops line ends and NUL of the file, as curl does; that alone breaks a signature. */
function bodyOf(kind: BodyOption, value: string): Buffer {
  if (kind === 'raw' || !value.startsWith('@')) return Buffer.from(value, 'latin1');
  const file = Buffer.from(value.slice(1), 'latin1').toString();
  const content = readNamed(file);
  if (kind !== 'stripped') return content;
  return Buffer.from(content.toString('latin1').replaceAll(/[\r\n\0]/g, ''), 'latin1');
}

function readNamed(file: string): Buffer {
  if (file === '-') {
    throw new UsageError(
      'The curl line reads its body from a pipe (@-). Name a file in its place.',
    );
  }
  try {
    return readFileSync(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`The curl line names a file that must be readable: ${reason}.`);
  }
}

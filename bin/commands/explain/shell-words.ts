import { UsageError } from '../../command-line/errors.ts';

/** The escapes of `$'…'` with one character. */
const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001B',
  E: '\u001B',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
const CODE = /^(?:x([\da-f]{1,2})|u([\da-f]{1,4})|U([\da-f]{1,8}))/i;
const OCTAL = /^[0-7]{1,3}/;
/** What ends a command outside of quotes. */
const ENDS = new Set(['\n', ';', '|', '&', '<', '>', '(', ')']);

/**
 * Returns the words of the first command in a text of a POSIX shell or bash, as bytes in Latin-1: each character
 * is one byte of the command line. Reads quotes, escapes and variables; runs nothing.
 *
 * @throws {UsageError} for a quote that does not end, and for an unknown variable
 */
export function shellWords(text: string, environment: NodeJS.ProcessEnv): string[] {
  return new Words(Buffer.from(text).toString('latin1'), environment).read();
}

class Words {
  readonly #text: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #words: string[] = [];
  #word: string | null = null;
  #at = 0;

  constructor(text: string, environment: NodeJS.ProcessEnv) {
    this.#text = text;
    this.#environment = environment;
  }

  read(): string[] {
    while (this.#at < this.#text.length) {
      const character = this.#take();
      if (character === '\\') this.#escaped();
      else if (character === "'") this.#add(this.#until("'"));
      else if (character === '"') this.#doubleQuoted();
      else if (character === '$') this.#dollar();
      else if (character === ' ' || character === '\t' || character === '\r') this.#endWord();
      else if (ENDS.has(character)) {
        this.#endWord();
        if (this.#words.length > 0) break;
      } else this.#add(character);
    }
    this.#endWord();
    return this.#words;
  }

  #take(): string {
    const character = this.#text[this.#at] ?? '';
    this.#at += 1;
    return character;
  }

  #add(text: string): void {
    this.#word = (this.#word ?? '') + text;
  }

  #endWord(): void {
    if (this.#word !== null) this.#words.push(this.#word);
    this.#word = null;
  }

  /** A backslash before a line end joins the lines, also before CR and LF. */
  #escaped(): void {
    const rest = /^\r?\n/.exec(this.#text.slice(this.#at, this.#at + 2));
    if (rest === null) this.#add(this.#take());
    else this.#at += rest[0].length;
  }

  #until(quote: string): string {
    const end = this.#text.indexOf(quote, this.#at);
    if (end === -1) throw unfinished(quote);
    const content = this.#text.slice(this.#at, end);
    this.#at = end + 1;
    return content;
  }

  #doubleQuoted(): void {
    this.#add('');
    for (;;) {
      if (this.#at >= this.#text.length) throw unfinished('"');
      const character = this.#take();
      if (character === '"') return;
      if (character === '$') this.#variable();
      else if (character !== '\\') this.#add(character);
      else if ('"\\$`'.includes(this.#text[this.#at] ?? '')) this.#add(this.#take());
      else if (this.#text[this.#at] === '\n') this.#at += 1;
      else this.#add('\\');
    }
  }

  #dollar(): void {
    if (this.#text[this.#at] !== "'") return this.#variable();
    this.#at += 1;
    this.#add('');
    for (;;) {
      if (this.#at >= this.#text.length) throw unfinished("$'");
      const character = this.#take();
      if (character === "'") return;
      this.#add(character === '\\' ? this.#ansiEscape() : character);
    }
  }

  #ansiEscape(): string {
    const rest = this.#text.slice(this.#at, this.#at + 9);
    const code = CODE.exec(rest);
    if (code !== null) {
      this.#at += code[0].length;
      const [, byte, short, long] = code;
      if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16));
      const point = Number.parseInt(short ?? long ?? '', 16);
      if (point > 0x10_ffff) throw new UsageError(`\\U must be a code point, got ${code[0]}.`);
      return Buffer.from(String.fromCodePoint(point)).toString('latin1');
    }
    const octal = OCTAL.exec(rest);
    if (octal !== null) {
      this.#at += octal[0].length;
      return String.fromCharCode(Number.parseInt(octal[0], 8) % 256);
    }
    const character = this.#take();
    if (/[\\'"?]/.test(character)) return character;
    return ESCAPES[character] ?? `\\${character}`;
  }

  #variable(): void {
    const rest = this.#text.slice(this.#at, this.#at + 200);
    const name = /^(?:\{(\w+)\}|([A-Za-z_]\w*))/.exec(rest);
    if (name === null) return this.#add('$');
    const variable = name[1] ?? name[2] ?? '';
    const value = this.#environment[variable];
    if (value === undefined) {
      throw new UsageError(
        `The curl line contains $${variable}, which must be set. Export it, or replace it.`,
      );
    }
    this.#at += name[0].length;
    this.#add(Buffer.from(value).toString('latin1'));
  }
}

function unfinished(quote: string): UsageError {
  return new UsageError(`The curl line must end each quote, but one ${quote} has no end.`);
}

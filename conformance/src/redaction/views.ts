import { ENTITIES } from './entities.ts';

/** Another reading of a text, and where its characters come from. */
export interface View {
  readonly text: string;
  /** The part of the source that a part of `text` comes from. */
  source(start: number, end: number): readonly [start: number, end: number];
}

/** Escapes of escapes, such as JSON in a string of JSON in a URL. */
const MAX_UNESCAPES = 3;

/**
 * The text as it is, then with its escapes resolved, then also without breaks, then also with its strings joined. Each
 * reading is that of the one before, and is left out where it changes nothing.
 */
export function readingsOf(text: string): readonly View[] {
  const readings: View[] = [{ text, source: (start, end) => [start, end] }];
  const unescapes = Array.from({ length: MAX_UNESCAPES }, () => unescapedView);
  for (const step of [...unescapes, unbrokenView, joinedView]) {
    const before = readings.at(-1);
    const view = before === undefined ? null : step(before.text);
    if (before === undefined || view === null) continue;
    readings.push({
      text: view.text,
      source: (start, end) => before.source(...view.source(start, end)),
    });
  }
  return readings;
}

/** The text with its escapes resolved: percent, JSON, JavaScript, HTML. Null without any. */
function unescapedView(text: string): View | null {
  if (!/[%\\&]/.test(text)) return null;
  const codes = new Uint16Array(text.length);
  const starts = new Uint32Array(text.length + 1);
  let count = 0;
  let at = 0;
  let changed = false;
  while (at < text.length) {
    const escape = escapeAt(text, at);
    changed ||= escape !== null;
    codes[count] = escape?.code ?? text.charCodeAt(at);
    starts[count] = at;
    count += 1;
    at += escape?.length ?? 1;
  }
  if (!changed) return null;
  starts[count] = text.length;
  return {
    text: Buffer.from(codes.buffer, 0, count * 2).toString('utf16le'),
    source: (start, end) => [starts[start] ?? 0, starts[end] ?? text.length],
  };
}

/** Strings that follow each other in JSON or code, as one: `"ab", "cd"` and `"ab", "name": "cd"` become `"abcd"`. */
const BETWEEN_STRINGS = /["'][\s,+:;[\]{}]{0,64}(?:["'][^"'\\\n]{0,64}["']\s{0,8}:\s{0,8})?["']/g;

function joinedView(text: string): View | null {
  return without(text, BETWEEN_STRINGS);
}

/** Without NUL characters, which fill up UTF-16, and without line breaks, which wrap base64. */
function unbrokenView(text: string): View | null {
  return without(text, /[\0\r\n]+/g);
}

function without(text: string, pattern: RegExp): View | null {
  const kept: { readonly text: string; readonly at: number; readonly from: number }[] = [];
  let from = 0;
  let at = 0;
  for (const { 0: dropped, index } of text.matchAll(pattern)) {
    kept.push({ text: text.slice(from, index), at, from });
    at += index - from;
    from = index + dropped.length;
  }
  if (kept.length === 0) return null;
  kept.push({ text: text.slice(from), at, from });
  /** The source of the character at `position`: in the last piece that begins at or before it. */
  const sourceOf = (position: number): number => {
    let low = 0;
    let high = kept.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((kept[middle]?.at ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    const piece = kept[low];
    return piece === undefined ? position : piece.from + position - piece.at;
  };
  return {
    text: kept.map((piece) => piece.text).join(''),
    source: (start, end) => [sourceOf(start), sourceOf(end - 1) + 1],
  };
}

interface Escape {
  readonly code: number;
  readonly length: number;
}

function escapeAt(text: string, at: number): Escape | null {
  switch (text.charCodeAt(at)) {
    case 0x25:
      return hexEscape(text, at, 1, 2);
    case 0x5c:
      return backslashEscape(text, at);
    case 0x26:
      return entityAt(text, at);
    default:
      return null;
  }
}

const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12, 0: 0 };

function backslashEscape(text: string, at: number): Escape | null {
  const next = text.charAt(at + 1);
  if (next === 'u') return hexEscape(text, at, 2, 4);
  if (next === 'x') return hexEscape(text, at, 2, 2);
  const control = CONTROLS[next];
  if (control !== undefined) return { code: control, length: 2 };
  return /^["'\\/]$/.test(next) ? { code: next.charCodeAt(0), length: 2 } : null;
}

function hexEscape(text: string, at: number, before: number, digits: number): Escape | null {
  const value = text.slice(at + before, at + before + digits);
  if (value.length < digits || !/^[0-9a-f]+$/i.test(value)) return null;
  return { code: Number.parseInt(value, 16), length: before + digits };
}

/** The semicolon may be missing, because browsers need none after a number. */
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,12}));?/iy;

function entityAt(text: string, at: number): Escape | null {
  ENTITY.lastIndex = at;
  const match = ENTITY.exec(text);
  if (match === null) return null;
  const [whole, hex, decimal, name = ''] = match;
  if (hex !== undefined) return { code: Number.parseInt(hex, 16), length: whole.length };
  if (decimal !== undefined) return { code: Number(decimal), length: whole.length };
  const character = ENTITIES.get(name);
  return character === undefined || !whole.endsWith(';')
    ? null
    : { code: character.charCodeAt(0), length: whole.length };
}

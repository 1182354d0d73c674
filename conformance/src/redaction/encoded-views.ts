import { constants, gunzipSync, inflateSync } from 'node:zlib';

import { GRAM_LENGTH } from './secret-index.ts';
import type { View } from './views.ts';

/** 8 bytes in base64 without padding. */
const BASE64_RUN = /[A-Za-z0-9+/_-]{11,}={0,2}/g;
/** Pairs of hex digits, alone or with separators: `6870`, `68 70`, `68:70`, `0x68, 0x70`, `\x68\x70`. */
const HEX_RUN = /[0-9a-f]{2}(?:[\s:,;._|-]{0,3}(?:0x|\\x)?[0-9a-f]{2}){7,}[0-9a-f]?/gi;
/** A list of bytes, as JSON shows a buffer. */
const DECIMAL_RUN = /\d{1,3}(?:,\s{0,2}\d{1,3}){7,}/g;
/** The first bytes of gzip and of zlib. */
const COMPRESSED_START = new RegExp(String.raw`\x1f\x8b\x08|\x78[\x01\x5e\x9c\xda]`, 'g');
const MAX_COMPRESSED_STARTS = 32;
const MAX_INFLATED_BYTES = 4 * 1024 * 1024;

/** What parts of a text encode: base64 in each of its four alignments, hex in both, lists of bytes, compressed bytes. */
export function* encodedViews(text: string): Generator<View | Opaque> {
  for (const { 0: run, index } of text.matchAll(BASE64_RUN)) yield* base64Views(run, index);
  for (const { 0: run, index } of text.matchAll(HEX_RUN)) yield* hexViews(run, index);
  for (const { 0: run, index } of text.matchAll(DECIMAL_RUN)) yield decimalView(run, index);
  yield* compressedViews(text);
}

/** A part that could not be looked into; it may hold anything. */
export interface Opaque {
  readonly opaque: readonly [start: number, end: number];
}

function* base64Views(run: string, index: number): Generator<View> {
  for (let phase = 0; phase < 4; phase += 1) {
    const text = Buffer.from(run.slice(phase), 'base64').toString('latin1');
    const from = index + phase;
    yield {
      text,
      source: (start, end) => {
        const last = from + Math.ceil((end * 4) / 3);
        const padded = end === text.length ? index + run.length : last;
        return [from + Math.floor((start * 4) / 3), Math.min(padded, index + run.length)];
      },
    };
  }
}

function* hexViews(run: string, index: number): Generator<View> {
  const places: number[] = [];
  let digits = '';
  for (const { 0: pair, index: at } of run.matchAll(/(?:0x|\\x)|[0-9a-f]/gi)) {
    if (pair.length > 1) continue;
    digits += pair;
    places.push(index + at);
  }
  for (const phase of [0, 1]) {
    const text = Buffer.from(digits.slice(phase), 'hex').toString('latin1');
    if (text.length < GRAM_LENGTH) continue;
    yield {
      text,
      source: (start, end) => [
        places[start * 2 + phase] ?? index,
        (places[end * 2 + phase - 1] ?? index) + 1,
      ],
    };
  }
}

function decimalView(run: string, index: number): View {
  const numbers = [...run.matchAll(/\d+/g)];
  const text = String.fromCharCode(...numbers.map(([digits]) => Number(digits) % 256));
  const place = (at: number): number => index + (numbers[at]?.index ?? 0);
  return {
    text,
    source: (start, end) => [place(start), place(end - 1) + (numbers[end - 1]?.[0].length ?? 0)],
  };
}

/** A hit in compressed bytes is a hit of all of them. */
function* compressedViews(text: string): Generator<View | Opaque> {
  const starts = [...text.matchAll(COMPRESSED_START)].slice(0, MAX_COMPRESSED_STARTS);
  for (const { index: start } of starts) {
    try {
      const inflated = inflate(Buffer.from(text.slice(start), 'latin1'));
      yield { text: inflated, source: () => [start, text.length] };
    } catch (error) {
      // Too much to look into. Any other error means that these bytes are not compressed.
      if (error instanceof RangeError) yield { opaque: [start, text.length] };
    }
  }
}

/** What was cut off does not matter: the part that is there can be read. */
function inflate(bytes: Buffer): string {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_INFLATED_BYTES };
  return (bytes[0] === 0x78 ? inflateSync : gunzipSync)(bytes, options).toString('latin1');
}

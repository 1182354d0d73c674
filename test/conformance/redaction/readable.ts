import { constants, gunzipSync, inflateSync } from 'node:zlib';

const RUN_LENGTH = 8;

/** The runs of 8 characters of a secret that a reader finds in a text who tries every decoding. The slow way. */
export function readableRuns(text: string, secret: string): string[] {
  const runs = Array.from({ length: secret.length - RUN_LENGTH + 1 }, (_, at) =>
    secret.slice(at, at + RUN_LENGTH).toLowerCase(),
  );
  const seen = new Set<string>();
  decode(text, 3, seen);
  return runs.filter((run) => [...seen].some((one) => one.includes(run)));
}

function decode(text: string, depth: number, seen: Set<string>): void {
  const readings = [text];
  for (const step of [unescape, unescape, unescape, dropBreaks, joinStrings]) {
    readings.push(step(readings.at(-1) ?? ''));
  }
  for (const reading of new Set(readings)) {
    seen.add(reading.toLowerCase());
    if (depth > 0) for (const other of decodings(reading)) decode(other, depth - 1, seen);
  }
}

function decodings(text: string): string[] {
  const base64 = (text.match(/[\w+/-]{11,}/g) ?? []).flatMap((run) =>
    [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), 'base64')),
  );
  const hex = (text.match(/(?:(?:0x|\\x)?[\da-f]{2}[\s:,]*){8,}/gi) ?? []).flatMap((run) => {
    const digits = run.replace(/0x|\\x|[^\da-f]/gi, '');
    return [0, 1].map((from) => Buffer.from(digits.slice(from), 'hex'));
  });
  const lists = (text.match(/(?:\d{1,3},\s?){7,}\d{1,3}/g) ?? []).map((list) =>
    Buffer.from(list.split(',').map(Number)),
  );
  const all = [...base64, ...hex, ...lists].filter(({ length }) => length >= RUN_LENGTH);
  return [...all, ...all.flatMap(inflated)].map((bytes) => bytes.toString('latin1'));
}

function inflated(bytes: Buffer): Buffer[] {
  const head = bytes.readUInt16BE(0);
  // Without its head it is refused anyway, and an error for each of many thousand costs most of the time.
  if (head === 0x1f8b) return inflatedBy(gunzipSync, bytes);
  return (head & 0x0f00) === 0x0800 && head % 31 === 0 ? inflatedBy(inflateSync, bytes) : [];
}

function inflatedBy(inflate: typeof gunzipSync, bytes: Buffer): Buffer[] {
  try {
    return [inflate(bytes, { finishFlush: constants.Z_SYNC_FLUSH })];
  } catch {
    return [];
  }
}

const NAMES: Readonly<Record<string, string>> = {
  lowbar: '_',
  sol: '/',
  plus: '+',
  equals: '=',
  period: '.',
};

function unescape(text: string): string {
  return text
    .replace(/%([\da-f]{2})/gi, (_, code: string) => character(code))
    .replace(/\\u([\da-f]{4})/gi, (_, code: string) => character(code))
    .replace(/\\x([\da-f]{2})/gi, (_, code: string) => character(code))
    .replace(/&#x([\da-f]{1,4});?/gi, (_, code: string) => character(code))
    .replace(/&#(\d{1,4});?/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/&([a-z]+);/g, (whole, name: string) => NAMES[name] ?? whole)
    .replace(/\\(["'\\/])/g, '$1');
}

function character(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}

/** Reports show control characters as symbols or as escapes. */
function dropBreaks(text: string): string {
  return text.replace(/[\0\r\n␀␊␍]/g, '');
}

function joinStrings(text: string): string {
  return text.replace(/["'][\s,+:[\]{}]*(?:["']\w*["']\s*:\s*)?["']/g, '');
}

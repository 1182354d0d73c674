import { unzipSync } from 'node:zlib';

import type { KnownMessage } from './known-messages.ts';
import type { Mistake } from './mistake.ts';

/** The fix for every changed body. */
export const RAW_FIX =
  'Verify the bytes as received, before any JSON parser: express.raw(), request.arrayBuffer().';
const MAX_DECOMPRESSED_BYTES = 4 * 1_048_576;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Returns the messages of the bodies that the received one may have been made of, before something
 * between the sender and the verification changed it.
 *
 * @param messageOf Returns the signed message for a body.
 */
export function knownBodies(
  received: Uint8Array,
  messageOf: (body: Uint8Array) => Uint8Array,
): readonly KnownMessage[] {
  return changesOf(Buffer.from(received)).map(([cause, change, body]) => ({
    cause,
    evidence: `The signature matches the body ${change}.`,
    fix: RAW_FIX,
    message: messageOf(typeof body === 'string' ? Buffer.from(body) : body),
  }));
}

/**
 * Returns a sentence if the keys of a body are sorted: the order that was signed cannot be found
 * again.
 */
export function traceOfSerializer(received: Uint8Array): string {
  const [value] = parsed(Buffer.from(received).toString('utf8'));
  const isObject = typeof value === 'object' && value !== null && Object.keys(value).length > 2;
  if (!isObject || JSON.stringify(sortKeys(value)) !== JSON.stringify(value)) return '';
  return ' All keys of the body are sorted: something may have written it again.';
}

type Change = readonly [cause: Mistake['cause'], change: string, body: string | Uint8Array];

function changesOf(bytes: Buffer): readonly Change[] {
  const text = bytes.toString('utf8');
  return [
    ...parsed(text).flatMap(serialized),
    ...decompressed(bytes),
    ['body_byte_order_mark', 'with a byte order mark', Buffer.concat([BOM, bytes])],
    ['body_byte_order_mark', 'without its byte order mark', text.replace(/^\ufeff/, '')],
    ['body_trimmed', 'with a newline at its end', `${text}\n`],
    ['body_trimmed', 'with CR and LF at its end', `${text}\r\n`],
    ['body_trimmed', 'with a space at its end', `${text} `],
    ['body_newline_added', 'without the whitespace around it', text.trim()],
    ['body_line_endings', 'with LF in place of CR and LF', text.replaceAll('\r\n', '\n')],
    ['body_line_endings', 'with CR and LF', text.replaceAll(/\r?\n/g, '\r\n')],
    ['body_decoded', 'read as Latin-1 once', Buffer.from(text, 'latin1')],
    ['body_decoded', 'encoded as UTF-8 twice', bytes.toString('latin1')],
    ['body_in_base64', 'decoded from base64', Buffer.from(text, 'base64')],
    ['body_in_base64', 'encoded in base64', bytes.toString('base64')],
    ['body_as_json_string', 'in quotes, as a JSON string', JSON.stringify(text)],
    ...parsed(text).map((value): Change => {
      const line = `${JSON.stringify(value)}\n`;
      return ['body_reserialized', 'as JSON without spaces and with a newline', line];
    }),
  ];
}

function serialized(value: unknown): readonly Change[] {
  const compact = JSON.stringify(value);
  if (typeof value === 'string') return [['body_as_json_string', 'inside the quotes', value]];
  const escaped = escapeNonAscii(compact);
  const slashes = escaped.replaceAll('/', '\\/');
  return [
    ['body_reserialized', 'as JSON without spaces', compact],
    ['body_reserialized', 'as JSON with a space after commas and colons', spaced(value)],
    ...[2, 4, '\t'].map((indent): Change => {
      const lines = JSON.stringify(value, null, indent);
      return ['body_pretty_printed', 'as JSON over several lines', lines];
    }),
    ['body_keys_sorted', 'as JSON with sorted keys', JSON.stringify(sortKeys(value))],
    ['body_keys_sorted', 'as JSON with sorted keys and spaces', spaced(sortKeys(value))],
    ['body_escapes_changed', 'with \\u escapes for other characters than ASCII', escaped],
    ['body_escapes_changed', 'with \\u escapes in capitals', capitalEscapes(escaped)],
    ['body_escapes_changed', 'with escaped slashes', compact.replaceAll('/', '\\/')],
    ['body_escapes_changed', 'with escaped slashes and \\u escapes', slashes],
    ['body_escapes_changed', 'with escaped <, > and &', escapeHtml(compact)],
  ];
}

/** A proxy or client may compress a body after it was signed. */
function decompressed(bytes: Buffer): readonly Change[] {
  try {
    const options = { maxOutputLength: MAX_DECOMPRESSED_BYTES };
    // zlib and gzip; a body in JSON begins like neither.
    const body = unzipSync(bytes, options);
    return [['body_compressed', 'after it is decompressed', body]];
  } catch {
    return [];
  }
}

/** As `json.dumps` of Python writes it. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([key, field]) => `${JSON.stringify(key)}: ${spaced(field)}`,
  );
  return `{${fields.join(', ')}}`;
}

function parsed(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text.replace(/^\ufeff/, ''))];
  } catch {
    return [];
  }
}

function escapeNonAscii(json: string): string {
  return json.replaceAll(/[^\0-\x7f]/g, codeEscape);
}

function escapeHtml(json: string): string {
  return json.replaceAll(/[<>&]/g, codeEscape);
}

function codeEscape(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const code = character.charCodeAt(index).toString(16);
    return `\\u${code.padStart(4, '0')}`;
  }).join('');
}

function capitalEscapes(json: string): string {
  return json.replaceAll(/\\u[\da-f]{4}/g, (escape) => `\\u${escape.slice(2).toUpperCase()}`);
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, field]) => [key, sortKeys(field)]));
}

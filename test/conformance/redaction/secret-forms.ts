import { deflateSync, gzipSync } from 'node:zlib';

/** A text that shows a secret to whoever decodes it. `cut`: a number by which some forms vary. */
export type Form = (secret: string, cut: number) => string;

const bytes = (text: string): Buffer => Buffer.from(text);
const each = (text: string, map: (code: number) => string): string =>
  Array.from(text, (character) => map(character.codePointAt(0) ?? 0)).join('');
const hexOf = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');
const mask =
  (middle: string): Form =>
  (secret, cut) =>
    secret.slice(0, 8 + (cut % 4)) + middle + secret.slice(-6);
const split =
  (join: (left: string, right: string) => string): Form =>
  (secret, cut) => {
    const at = 1 + (cut % (secret.length - 1));
    return join(secret.slice(0, at), secret.slice(at));
  };

const ENTITY_NAMES: Readonly<Record<string, string>> = {
  _: '&lowbar;',
  '/': '&sol;',
  '+': '&plus;',
  '=': '&equals;',
  '.': '&period;',
};

/** Each form in which a target has been seen to send a secret back, and some that follow from them. */
export const FORMS: Readonly<Record<string, Form>> = {
  raw: (secret) => secret,
  'upper case': (secret) => secret.toUpperCase(),
  'lower case': (secret) => secret.toLowerCase(),
  'without its type': (secret) => secret.slice(secret.indexOf('_') + 1),
  'without its end': (secret, cut) => secret.slice(0, -1 - (cut % 4)),
  'without its beginning': (secret, cut) => secret.slice(1 + (cut % 4)),
  base64: (secret) => bytes(secret).toString('base64'),
  'base64 after one byte': (secret) => bytes(`:${secret}!`).toString('base64'),
  'base64 after two bytes': (secret) => bytes(`a:${secret}`).toString('base64'),
  base64url: (secret) => bytes(`u:${secret}`).toString('base64url'),
  'base64 in lines': (secret) =>
    bytes(`${secret}${'.'.repeat(40)}${secret}`)
      .toString('base64')
      .replace(/.{16}/g, '$&\r\n'),
  'base64 with percents': (secret) => encodeURIComponent(bytes(`a?${secret}`).toString('base64')),
  'base64 twice': (secret) => bytes(bytes(secret).toString('base64')).toString('base64'),
  'base64 of gzip': (secret) => gzipSync(`{"key":"${secret}"}`).toString('base64'),
  'base64 of deflate': (secret) => deflateSync(`{"key":"${secret}"}`).toString('base64'),
  'base64 of cut gzip': (secret) => gzipSync(`${secret} end`).subarray(0, -9).toString('base64'),
  'base64 of UTF-16': (secret) => Buffer.from(`\ufeff${secret}`, 'utf16le').toString('base64'),
  'base64 of big-endian UTF-16': (secret) =>
    Buffer.from(secret, 'utf16le').swap16().toString('base64'),
  'UTF-16 as text': (secret) => Buffer.from(secret, 'utf16le').toString('utf8'),
  'UTF-16 as JSON': (secret) => JSON.stringify(Buffer.from(secret, 'utf16le').toString('utf8')),
  hex: (secret) => bytes(secret).toString('hex'),
  'upper-case hex': (secret) => bytes(secret).toString('hex').toUpperCase(),
  'hex after a digit': (secret) => `f${bytes(secret).toString('hex')}`,
  'hex with spaces': (secret) => each(secret, (code) => `${hexOf(code, 2)} `),
  'hex with colons': (secret) => each(secret, (code) => `${hexOf(code, 2)}:`),
  'hex numbers': (secret) => each(secret, (code) => `0x${hexOf(code, 2)}, `),
  'hex of base64': (secret) => bytes(bytes(secret).toString('base64')).toString('hex'),
  'bytes as JSON': (secret) => JSON.stringify(bytes(secret)),
  percent: (secret) => each(secret, (code) => `%${hexOf(code, 2)}`),
  'percent twice': (secret) => each(secret, (code) => `%25${hexOf(code, 2)}`),
  'percent where needed': (secret) => encodeURIComponent(secret),
  'JSON escapes': (secret) => each(secret, (code) => `\\u${hexOf(code, 4)}`),
  'JSON escapes in JSON': (secret) =>
    JSON.stringify(JSON.stringify({ key: secret }).replace(/e/g, '\\u0065')),
  'escaped slashes': (secret) => secret.replaceAll('/', '\\/'),
  'script escapes': (secret) => each(secret, (code) => `\\x${hexOf(code, 2)}`),
  'decimal entities': (secret) => each(secret, (code) => `&#${code};`),
  'hex entities': (secret) => each(secret, (code) => `&#x${hexOf(code, 2)};`),
  'entities without semicolons': (secret) => each(secret, (code) => `&#x${hexOf(code, 4)}`),
  'named entities': (secret) =>
    Array.from(secret, (character) => ENTITY_NAMES[character] ?? character).join(''),
  'masked with …': mask('…'),
  'masked with ***': mask('***'),
  'masked with ...': mask('...'),
  'masked with xxxx': mask('xxxx'),
  'split in a list': split((left, right) => JSON.stringify([left, right])),
  'split in an indented list': split((left, right) =>
    JSON.stringify({ a: [left, right] }, null, 2),
  ),
  'split in two members': split((left, right) => JSON.stringify({ first: left, second: right })),
  'split in code': split((left, right) => `'${left}' + '${right}'`),
  'split and escaped': split((left, right) => JSON.stringify(JSON.stringify([left, right]))),
};

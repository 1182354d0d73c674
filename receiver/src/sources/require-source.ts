import { optionalFunction } from '../argument-checks.ts';
import { mustBe } from '../verify/errors.ts';
import type { Source } from './source.ts';

/** A token of HTTP, as Node.js has the names of headers. */
const HEADER_NAME = /^[a-z\d!#$%&'*+.^_`|~-]+$/;

/**
 * Checks a source, which may be one of your own: with a header in capitals it would refuse every
 * delivery, and without headers nothing would report that.
 *
 * @throws {TypeError} When a member has another form; the message names it.
 */
export function requireSource(name: string, source: object): void {
  const members: Partial<Readonly<Record<keyof Source, unknown>>> = source;
  const { sender, headers, explain, order } = members;
  if (typeof sender !== 'string' || sender === '') {
    throw new TypeError(mustBe(`sources.${name}.sender`, 'the name of a sender', typeof sender));
  }
  const isNames =
    Array.isArray(headers) &&
    headers.length > 0 &&
    headers.every((header) => typeof header === 'string' && HEADER_NAME.test(header));
  if (!isNames) {
    const expected = 'the names of at least one header, in lower case';
    throw new TypeError(mustBe(`sources.${name}.headers`, expected, JSON.stringify(headers)));
  }
  for (const member of ['retries', 'verify', 'data'] as const) {
    const value = members[member];
    if (typeof value === 'function') continue;
    throw new TypeError(mustBe(`sources.${name}.${member}`, 'a function', typeof value));
  }
  optionalFunction(`sources.${name}.explain`, explain);
  if (order === 'none' || order === 'serial') return;
  const received = JSON.stringify(order);
  throw new TypeError(mustBe(`sources.${name}.order`, "'none' or 'serial'", received));
}

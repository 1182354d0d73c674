import { refusal } from '../verify/errors.ts';
import { headerFinder } from '../verify/find-headers.ts';
import type { HeaderSource } from '../verify/find-headers.ts';
import type { Source } from './source.ts';

/**
 * Returns a function that reads the headers of a source, each of which must come once.
 *
 * @throws {WebhookVerificationError} The function: `header_missing` or `header_repeated`.
 * @throws {TypeError} The function, when it gets no source of headers.
 */
export function headerReader({
  headers: names,
}: Pick<Source, 'headers'>): (source: HeaderSource) => Readonly<Record<string, string>> {
  const find = headerFinder(...names);
  return (source) => {
    const found = find(source);
    const values: Record<string, string> = {};
    for (const name of names) {
      const [value, ...others] = found[name] ?? [];
      if (value === undefined || others.length > 0) {
        const code = value === undefined ? 'header_missing' : 'header_repeated';
        const received = value === undefined ? 'none' : `${others.length + 1} of them`;
        const fix = ' Pass all headers unchanged.';
        throw refusal('headers', code, `Header ${name}`, 'present once', received, fix);
      }
      values[name] = value;
    }
    return values;
  };
}

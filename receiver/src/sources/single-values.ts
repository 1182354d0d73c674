import { refusal } from '../verify/errors.ts';
import type { FoundHeaders } from '../verify/find-headers.ts';

/**
 * Returns the value of each header of a source, all of which must come once.
 *
 * @throws {WebhookVerificationError} `header_missing` or `header_repeated`.
 */
export function singleValues(
  names: readonly string[],
  found: FoundHeaders<string>,
): Readonly<Record<string, string>> {
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
}

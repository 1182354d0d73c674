import { positiveInteger } from '../argument-checks.ts';
import { mustBe } from '../verify/errors.ts';
import type { Source, SourceOptions } from './source.ts';

/**
 * Checks what all sources of this package have.
 *
 * @throws {TypeError} When an option is invalid; the message names the option.
 */
export function sourceOptions(
  { order = 'none', bodyLimitBytes }: SourceOptions,
  defaultLimitBytes?: number,
): Pick<Source, 'order' | 'bodyLimitBytes'> {
  if (order !== 'none' && order !== 'serial') {
    throw new TypeError(mustBe('order', "'none' or 'serial'", JSON.stringify(order)));
  }
  const limit = bodyLimitBytes ?? defaultLimitBytes;
  return limit === undefined
    ? { order }
    : { order, bodyLimitBytes: positiveInteger('bodyLimitBytes', limit, limit) };
}

import rangeParser from 'range-parser';

import type { ByteRange } from '../store/blobs.ts';

const SINGLE_RANGE = /^bytes=(\d*)-(\d*)$/i;

/**
 * Reads a Range header against bytes of a known size.
 *
 * @returns the part; null for the whole, where there is no range, several, or none that makes sense;
 * `unsatisfiable` where it begins behind the end
 */
export function readRange(
  header: string | undefined,
  size: number,
): ByteRange | null | 'unsatisfiable' {
  const [, first, last] = SINGLE_RANGE.exec(header ?? '') ?? [];
  if (header === undefined || first === undefined || last === undefined) return null;
  if (first !== '' && last !== '' && Number(first) > Number(last)) return null;
  // More of the end than there is, is all of it; the parser takes it for too much.
  const all = first === '' && Number(last) > size;
  const ranges = rangeParser(size, all ? 'bytes=0-' : header);
  if (ranges === -2) return null;
  const [range] = ranges === -1 ? [] : ranges;
  return range === undefined ? 'unsatisfiable' : range;
}

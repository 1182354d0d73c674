import type { ByteRange } from '../store/blobs.ts';

const SINGLE_RANGE = /^bytes=(\d*)-(\d*)$/i;

/**
 * Reads a Range header for a file of a known size.
 *
 * @returns the range; null for the whole file, where the header is absent, malformed or names several
 * ranges; `unsatisfiable` where the range starts after the last byte
 */
export function readRange(
  header: string | undefined,
  size: number,
): ByteRange | null | 'unsatisfiable' {
  const [, first = '', last = ''] = SINGLE_RANGE.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first !== '' && last !== '' && Number(first) > Number(last)) return null;
  // A suffix longer than the file means the whole file.
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start < size ? { start, end } : 'unsatisfiable';
}

const MAX_EVENTS = 64;
const MAX_BYTES = 1024 * 1024;

/**
 * Returns how many of the first open events of a work come with their bodies, so that a run with
 * many large events does not fill the memory of its worker. The first event always has its body.
 */
export function bodiesFor(lengths: readonly number[]): number {
  let bytes = 0;
  for (const [index, length] of lengths.entries()) {
    bytes += length;
    if (index > 0 && (bytes > MAX_BYTES || index >= MAX_EVENTS)) return index;
  }
  return lengths.length;
}

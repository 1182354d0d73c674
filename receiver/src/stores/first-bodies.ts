/** Maximum number of open events of a job that come with their bodies. */
export const MAX_FIRST_BODIES: number = 64;
/** Maximum number of bytes of these bodies. */
export const MAX_FIRST_BODY_BYTES: number = 1024 * 1024;

/**
 * Returns how many of the first open events of a job come with their bodies, so that a run with
 * many large events does not fill the memory of its worker. The first event always has its body.
 */
export function bodiesFor(lengths: readonly number[]): number {
  let bytes = 0;
  for (const [index, length] of lengths.entries()) {
    bytes += length;
    if (index > 0 && (bytes > MAX_FIRST_BODY_BYTES || index >= MAX_FIRST_BODIES)) return index;
  }
  return lengths.length;
}

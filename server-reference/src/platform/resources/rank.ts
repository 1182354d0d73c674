/**
 * Returns a number from 0 to below 1 that follows from a text. Similar texts give unrelated numbers. A list
 * reads it for each of its runs, so this is a plain hash: FNV-1a, with its bits mixed once more.
 */
export function rankOf(text: string): number {
  let bits = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193);
  }
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39);
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
}

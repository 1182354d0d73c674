const BLOCK = Buffer.from('0123456789abcde\n'.repeat(4096));

/** So many bytes, always the same, in blocks of 64 KiB. */
export async function* generatedBytes(size: number): AsyncGenerator<Uint8Array> {
  for (let left = size; left > 0; left -= BLOCK.length) yield BLOCK.subarray(0, left);
}

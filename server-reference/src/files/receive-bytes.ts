import { BlobTooLarge } from '../store/blobs.ts';
import type { Blobs, StoredBytes } from '../store/blobs.ts';
import { fileTooLarge } from './file-too-large.ts';

/** Takes the bytes of a file in. Release them when a record names them, or none will.
 *
 * @throws {ApiError} 413 `payload_too_large`; also rejects with what the source threw
 */
export async function receiveBytes(
  blobs: Blobs,
  source: AsyncIterable<Uint8Array>,
  limitBytes: number,
): Promise<StoredBytes> {
  try {
    return await blobs.put(source, limitBytes);
  } catch (error) {
    throw error instanceof BlobTooLarge ? fileTooLarge(limitBytes) : error;
  }
}

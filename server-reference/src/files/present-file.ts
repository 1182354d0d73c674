import type { File } from '@hookproof/spec';

import type { FileRecord } from '../state/file.ts';

/** A file as the API shows it: a durable one has no purpose. */
export function presentFile(file: FileRecord): File {
  const { id, filename, contentType, size, createdAt, purpose } = file;
  return { id, filename, contentType, size, createdAt, ...(purpose === null ? {} : { purpose }) };
}

import { notFound } from '../app/api-error.ts';
import type { UploadRecord } from '../state/file.ts';
import { find } from '../store/find.ts';
import type { State } from '../store/state.ts';
import { findLiveFile, hasExpired } from './find-file.ts';

/** An upload that goes on, or one whose file is still there; else 404. */
export function findUpload(
  state: State,
  id: string,
  nowMilliseconds: number,
  isVisible: (upload: UploadRecord) => boolean,
): UploadRecord {
  const upload = find(state.uploads, id);
  if (upload === undefined || !isVisible(upload) || isOver(state, upload, nowMilliseconds)) {
    throw notFound('uploadId', 'no upload has this id');
  }
  return upload;
}

/** Whether nothing can come of an upload any more, and nothing is left of what came of it. */
export function isOver(state: State, upload: UploadRecord, nowMilliseconds: number): boolean {
  if (upload.fileId === null) return hasExpired(upload, nowMilliseconds);
  return findLiveFile(state, upload.fileId, nowMilliseconds) === undefined;
}

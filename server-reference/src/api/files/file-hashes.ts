import type { StoredFile } from '../../store/datasets.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReadonlyState, State } from '../../store/state.ts';
import { hasExpired, removeFile } from './file.ts';

/** Deletes the files and open uploads that have expired. While the server runs, they are only not found. */
export function deleteExpired(state: State, now: number): void {
  const { files, uploads } = state;
  for (const { id } of files.filter((file) => hasExpired(file, now))) removeFile(state, id);
  uploads.deleteWhere((upload) => upload.completedAt === null && hasExpired(upload, now));
}

/** Returns the hashes of the bytes that records refer to. Add every new reference to files here. */
export function fileHashes(state: ReadonlyState): Set<string> {
  const hashes = new Set<string>();
  const add = (files: readonly DeepReadonly<Pick<StoredFile, 'sha256'>>[]): void => {
    for (const { sha256 } of files) hashes.add(sha256);
  };
  add([...state.files.values()]);
  for (const { object } of state.uploads.values()) if (object !== null) hashes.add(object.sha256);
  for (const { input, expected } of state.examples.values()) add([...input, ...expected]);
  for (const { inputFiles = [], outputFiles, scheduledTransitions } of state.runs.values()) {
    const later = scheduledTransitions.flatMap((step) => step.outputFiles ?? []);
    add([...inputFiles, ...outputFiles, ...later]);
  }
  for (const { expectedFiles } of state.runReviews.values()) add(expectedFiles);
  return hashes;
}

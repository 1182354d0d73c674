import type { StoredFile } from '../state/stored-file.ts';
import type { State } from './state.ts';

/** The hash of all bytes that a record names. Whoever adds a place for files adds it here. */
export function namedHashes(state: State): Set<string> {
  const { files, uploads, examples, runs, runReviews } = state;
  const names = new Set<string>();
  const add = (stored: readonly Pick<StoredFile, 'sha256'>[]): void => {
    for (const { sha256 } of stored) names.add(sha256);
  };
  add(Object.values(files));
  for (const { object } of Object.values(uploads)) if (object !== null) names.add(object.sha256);
  for (const { input, expected } of Object.values(examples)) add([...input, ...expected]);
  for (const { outputFiles, course } of Object.values(runs)) {
    add(outputFiles);
    for (const step of course) add(step.outputFiles ?? []);
  }
  for (const { expectedFiles } of Object.values(runReviews)) add(expectedFiles);
  return names;
}

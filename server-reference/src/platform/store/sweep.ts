import type { StoredFile } from '../state/datasets.ts';
import type { ReadonlyState } from '../state/state.ts';

/**
 * Bytes that a sweep must keep although no record may refer to them yet. A hold that ends during a sweep
 * applies until the sweep ends, because the sweep may have read older records.
 */
export class SweepHolds {
  readonly #counts = new Map<string, number>();
  #endedMeanwhile: string[] | null = null;

  take(sha256: string): void {
    this.#counts.set(sha256, (this.#counts.get(sha256) ?? 0) + 1);
  }

  release(sha256: string): void {
    if (this.#endedMeanwhile !== null) this.#endedMeanwhile.push(sha256);
    else this.#drop(sha256);
  }

  has(sha256: string): boolean {
    return this.#counts.has(sha256);
  }

  async duringSweep(sweep: () => Promise<void>): Promise<void> {
    const ended: string[] = [];
    this.#endedMeanwhile = ended;
    try {
      await sweep();
    } finally {
      this.#endedMeanwhile = null;
      for (const sha256 of ended) this.#drop(sha256);
    }
  }

  #drop(sha256: string): void {
    const left = (this.#counts.get(sha256) ?? 0) - 1;
    if (left > 0) this.#counts.set(sha256, left);
    else this.#counts.delete(sha256);
  }
}

/** Returns the hashes of all bytes that records refer to. Add every new reference to files here. */
export function namedHashes(state: ReadonlyState): Set<string> {
  const { files, uploads, examples, runs, runReviews } = state;
  const names = new Set<string>();
  const add = (stored: readonly Pick<StoredFile, 'sha256'>[]): void => {
    for (const { sha256 } of stored) names.add(sha256);
  };
  add(Object.values(files));
  for (const { object } of Object.values(uploads)) if (object !== null) names.add(object.sha256);
  for (const { input, expected } of Object.values(examples)) add([...input, ...expected]);
  for (const { outputFiles, scheduledTransitions } of Object.values(runs)) {
    add(outputFiles);
    for (const step of scheduledTransitions) add(step.outputFiles ?? []);
  }
  for (const { expectedFiles } of Object.values(runReviews)) add(expectedFiles);
  return names;
}

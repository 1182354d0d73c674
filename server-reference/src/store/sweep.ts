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

/**
 * Which job of this process handles a suspect: an event during which a process ended before. Only
 * one does at a time, so that the next end counts against one of them. Other events go on beside
 * it.
 */
export class SuspectSlot {
  #job: string | null = null;

  get isFree(): boolean {
    return this.#job === null;
  }

  take(job: string): void {
    this.#job = job;
  }

  /** Frees the slot if this job has it. */
  free(job: string): void {
    if (this.#job === job) this.#job = null;
  }
}

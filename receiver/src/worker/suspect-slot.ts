/**
 * Which work of this process handles a suspect: an event during which a process ended before. Only one does
 * at a time, so that the next end counts against one of them. Other events go on beside it.
 */
export class SuspectSlot {
  #work: string | null = null;

  get isFree(): boolean {
    return this.#work === null;
  }

  take(work: string): void {
    this.#work = work;
  }

  /** Frees the slot if this work has it. */
  free(work: string): void {
    if (this.#work === work) this.#work = null;
  }
}

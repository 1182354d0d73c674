import type { ServerResponse } from 'node:http';

import type { Clock } from '../../clock/clock.ts';
import type { RunId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { isTerminal } from '../../events/run-transitions.ts';
import type { RunRecord } from '../../store/runs.ts';

/** The requests that wait for the end of a run. They hang on the clock and on commits. */
export class RunWaits {
  readonly #clock: Clock;
  readonly #waiting = new Map<RunId, Set<() => void>>();
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Ends the waits for a run whose durable status is terminal. */
  announce({ id, status }: DeepReadonly<RunRecord>): void {
    if (isTerminal(status)) this.#end(id);
  }

  /** Ends the waits for runs that are deleted. */
  end(runIds: Iterable<RunId>): void {
    for (const id of runIds) this.#end(id);
  }

  /** Resolves when the run has ended or was deleted, after the timeout, when the client disconnects, or at {@link close}. */
  wait(runId: RunId, timeoutMilliseconds: number, response: ServerResponse): Promise<void> {
    if (this.#isClosed || response.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      const finish = (): void => {
        this.#clock.clearTimeout(timer);
        response.off('close', finish);
        this.#remove(runId, finish);
        resolve();
      };
      const timer = this.#clock.setTimeout(finish, timeoutMilliseconds);
      response.once('close', finish);
      const waiting = this.#waiting.get(runId) ?? new Set();
      this.#waiting.set(runId, waiting.add(finish));
    });
  }

  /**
   * Ends all waits. Later ones end immediately. Resolves one turn of the event loop later, when their handlers have
   * responded: a client whose connection breaks starts its run again.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const runId of this.#waiting.keys()) this.#end(runId);
    await new Promise(setImmediate);
  }

  #end(runId: RunId): void {
    for (const finish of this.#waiting.get(runId) ?? []) finish();
  }

  #remove(runId: RunId, finish: () => void): void {
    const waiting = this.#waiting.get(runId);
    waiting?.delete(finish);
    if (waiting?.size === 0) this.#waiting.delete(runId);
  }
}

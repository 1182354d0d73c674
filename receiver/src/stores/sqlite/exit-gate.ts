/**
 * Keeps the end of the process and the work of SQLite apart. `process.exit()` stops a thread
 * wherever it is, and a driver that is stopped inside of SQLite ends the whole process with
 * SIGABRT.
 */
export class ExitGate {
  readonly #state: Int32Array;

  /** @param memory - shared by the thread and the app: `ExitGate.memory()` */
  constructor(memory: SharedArrayBuffer) {
    this.#state = new Int32Array(memory);
  }

  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  }

  /** In the thread: runs an action while the process cannot end, or not at all when it ends. */
  whileOpen(action: () => void): void {
    if (Atomics.compareExchange(this.#state, 0, FREE, WORKING) !== FREE) return;
    try {
      action();
    } finally {
      Atomics.store(this.#state, 0, FREE);
      Atomics.notify(this.#state, 0);
    }
  }

  /**
   * In the app, when the process ends: waits for the current action, and lets no other one begin.
   */
  shut(): void {
    while (Atomics.compareExchange(this.#state, 0, FREE, SHUT) === WORKING) {
      if (Atomics.wait(this.#state, 0, WORKING, MAX_WAIT_MILLISECONDS) === 'timed-out') return;
    }
  }
}

const [FREE, WORKING, SHUT] = [0, 1, 2];

/** A write takes milliseconds. A disk that does not respond must not keep the process. */
const MAX_WAIT_MILLISECONDS = 5_000;

const gates = new Set<ExitGate>();

/** Shuts a gate when the process ends, until the function that it returns is called. */
export function shutAtExit(gate: ExitGate): () => void {
  if (gates.size === 0) process.on('exit', shutAll);
  gates.add(gate);
  return () => {
    gates.delete(gate);
    if (gates.size === 0) process.off('exit', shutAll);
  };
}

function shutAll(): void {
  for (const gate of gates) gate.shut();
}

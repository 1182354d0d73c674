import { placeOf, RUN_LENGTH, WINDOW_EVENTS } from './deliveries.ts';

/** What a journal says about one event. */
interface Noted {
  isAcknowledged: boolean;
  isEnded: boolean;
  isDead: boolean;
  /** The process that began it last. */
  lastBegun: number | null;
}

/** Reads the lines of a journal as they are written, and collects what must not happen. */
export class Journal {
  /** What the processes did that they must not do. */
  readonly violations: string[] = [];
  readonly #events = new Map<string, Noted>();
  /** The highest place of each run whose handling began. */
  readonly #reached = new Map<string, number>();
  readonly #windows = new Map<number, Set<string>>();
  readonly #killed = new Set<number>();
  readonly #opened = new Set<number>();
  readonly #delivered = new Set<number>();
  readonly #idle = new Set<number>();
  readonly #replays = { begun: 0, acknowledged: 0 };
  /** How often each run was replayed. */
  readonly #rounds = new Map<string, number>();
  #begunSinceReplay = 0;
  #rest = '';
  #ended = 0;
  #repeated = 0;

  /** Number of times that a handler ended. */
  get ended(): number {
    return this.#ended;
  }

  /** Number of events that were handled again because their process was killed. */
  get repeated(): number {
    return this.#repeated;
  }

  /** Number of calls of `replay()`, and of those that resolved. */
  get replays(): { readonly begun: number; readonly acknowledged: number } {
    return this.#replays;
  }

  /** Number of times that a handler began since the last call of `replay()`. */
  get begunSinceReplay(): number {
    return this.#begunSinceReplay;
  }

  /** Runs that were replayed less often than `replay()` resolved. */
  get notReplayed(): readonly string[] {
    const { acknowledged } = this.#replays;
    return [...this.#reached.keys()].filter((id) => (this.#rounds.get(id) ?? 0) < acknowledged);
  }

  /** Number of acknowledged events. */
  get acknowledged(): number {
    return this.#idsOf(({ isAcknowledged }) => isAcknowledged).length;
  }

  /** Number of windows of deliveries that have begun. */
  get windows(): number {
    return Math.max(-1, ...this.#windows.keys()) + 1;
  }

  /** The first window with an event that is not acknowledged. */
  get firstIncompleteWindow(): number {
    let window = 0;
    while (this.acknowledgedIn(window).length === WINDOW_EVENTS) window += 1;
    return window;
  }

  /** Returns the acknowledged events of a window. */
  acknowledgedIn(window: number): readonly string[] {
    return [...(this.#windows.get(window) ?? [])];
  }

  /** Acknowledged events whose handler has not ended, since they were replayed last. */
  get unhandled(): readonly string[] {
    return this.#idsOf(({ isAcknowledged, isEnded }) => isAcknowledged && !isEnded);
  }

  get dead(): readonly string[] {
    return this.#idsOf(({ isDead }) => isDead);
  }

  hasOpened(process: number): boolean {
    return this.#opened.has(process);
  }

  /** True after the last delivery of a process. */
  hasDelivered(process: number): boolean {
    return this.#delivered.has(process);
  }

  /** True when a process found all events handled after its last delivery. */
  isIdle(process: number): boolean {
    return this.#idle.has(process);
  }

  /** Call it directly before a process is killed: what it has in hand may be handled again. */
  noteKilled(process: number): void {
    this.#killed.add(process);
  }

  read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const [what, process, id = ''] = line.split(' ');
      if (what === 'open') this.#opened.add(Number(process));
      else if (what === 'delivered') this.#delivered.add(Number(process));
      else if (what === 'idle') this.#idle.add(Number(process));
      else if (what === 'replay') this.#replay();
      else if (what === 'replayed') this.#replays.acknowledged += 1;
      else if (what === 'begin') this.#begin(id, Number(process));
      else if (what === 'ack') this.#acknowledge(id);
      else if (what === 'dead') this.#noted(id).isDead = true;
      else {
        this.#noted(id).isEnded = true;
        this.#ended += 1;
      }
    }
  }

  #acknowledge(id: string): void {
    this.#noted(id).isAcknowledged = true;
    const { window } = placeOf(id);
    const ids = this.#windows.get(window) ?? new Set();
    this.#windows.set(window, ids.add(id));
  }

  #replay(): void {
    this.#replays.begun += 1;
    this.#begunSinceReplay = 0;
  }

  /** A run that is handled to its end begins again with its first event, once for each replay. */
  #beginRound(id: string): void {
    const { runId } = placeOf(id);
    const rounds = (this.#rounds.get(runId) ?? 0) + 1;
    this.#rounds.set(runId, rounds);
    if (rounds > this.#replays.begun)
      this.violations.push(`${id} was handled again without a replay`);
    this.#reached.set(runId, 0);
    for (const [other, event] of this.#events) {
      if (placeOf(other).runId === runId) Object.assign(event, { isEnded: false, lastBegun: null });
    }
  }

  #begin(id: string, process: number): void {
    const event = this.#noted(id);
    const { runId, place } = placeOf(id);
    this.#begunSinceReplay += 1;
    if (place === 1 && this.#reached.get(runId) === RUN_LENGTH) this.#beginRound(id);
    const reached = this.#reached.get(runId) ?? 0;
    if (event.lastBegun !== null) {
      this.#repeated += 1;
      if (!this.#killed.has(event.lastBegun)) {
        this.violations.push(`${id} was handled again although process ${event.lastBegun} had it`);
      } else if (place !== reached && !event.isDead) {
        this.violations.push(`${id} was handled again after event ${reached} of its run`);
      }
    } else if (place !== reached + 1) {
      this.violations.push(`${id} was handled after event ${reached} of its run`);
    }
    event.lastBegun = process;
    this.#reached.set(runId, Math.max(reached, place));
  }

  #noted(id: string): Noted {
    const known = this.#events.get(id);
    if (known !== undefined) return known;
    const event: Noted = { isAcknowledged: false, isEnded: false, isDead: false, lastBegun: null };
    this.#events.set(id, event);
    return event;
  }

  #idsOf(isChosen: (event: Noted) => boolean): readonly string[] {
    return [...this.#events].filter(([, event]) => isChosen(event)).map(([id]) => id);
  }
}

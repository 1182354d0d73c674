import type { TimerHandle } from '../clock.ts';
import type { Lease } from '../stores/store.ts';
import type { WorkerSettings } from './worker-settings.ts';

type LeaseSettings = Pick<
  WorkerSettings<unknown>,
  'store' | 'clock' | 'leaseMilliseconds' | 'report'
>;

/**
 * A lease that is renewed until it ends. `signal` aborts as soon as another process may have the
 * work: when the store says so, or when no renewal succeeded for the length of the lease.
 */
export class HeldLease {
  readonly lease: Lease;
  readonly runId: string | null;
  readonly #settings: LeaseSettings;
  readonly #lost = new AbortController();
  #timer: TimerHandle | null = null;
  #isEnded = false;
  #validUntil: number;

  /** `takenAt` is the monotonic time before the store was asked. */
  constructor(lease: Lease, runId: string | null, takenAt: number, settings: LeaseSettings) {
    this.lease = lease;
    this.runId = runId;
    this.#settings = settings;
    this.#validUntil = takenAt + settings.leaseMilliseconds;
    this.#renewLater();
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  get isLost(): boolean {
    return this.#lost.signal.aborted;
  }

  /** Records that the store extended the lease at this monotonic time. */
  extended(at: number): void {
    this.#validUntil = at + this.#settings.leaseMilliseconds;
  }

  /** Stops renewing. */
  end(): void {
    this.#isEnded = true;
    if (this.#timer !== null) this.#settings.clock.clearTimeout(this.#timer);
  }

  /** Records that another holder has the work. */
  lose(why: string): void {
    if (this.#isEnded || this.isLost) return;
    this.end();
    const message =
      `Lease of ${this.lease.work} must be held until its events are handled, but ${why}. Another ` +
      'process handles them. Check for pauses of this process, or raise leaseMilliseconds.';
    this.#settings.report({ code: 'lease_lost', message, eventId: null, runId: this.runId });
    this.#lost.abort(new Error(message));
  }

  #renewLater(): void {
    const { clock, leaseMilliseconds } = this.#settings;
    this.#timer = clock.setTimeout(() => void this.#renew(), leaseMilliseconds / 3);
  }

  async #renew(): Promise<void> {
    const { store, clock, leaseMilliseconds } = this.#settings;
    const at = clock.monotonic();
    try {
      if (await store.renew(this.lease, leaseMilliseconds)) this.extended(at);
      else this.lose('the store gave it to another holder');
    } catch {
      // The next renewal may succeed. Whoever waits for the store reports that it is down.
      if (clock.monotonic() >= this.#validUntil) this.lose('the store did not renew it in time');
    }
    if (!this.#isEnded) this.#renewLater();
  }
}

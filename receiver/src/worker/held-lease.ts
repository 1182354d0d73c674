import type { TimerHandle } from '../clock.ts';
import type { Lease, LeasedJob } from '../stores/store.ts';
import { jobName, runIdOf } from './source-work.ts';
import type { SourceWork } from './source-work.ts';
import type { WorkerSettings } from './worker-settings.ts';

type LeaseSettings = Pick<
  WorkerSettings<unknown>,
  'store' | 'clock' | 'leaseMilliseconds' | 'report'
>;

/**
 * A lease that is renewed until it ends. `signal` aborts as soon as another process may have the
 * job: when the store says so, or when no renewal succeeded for the length of the lease.
 */
export class HeldLease {
  readonly lease: Lease;
  /** The job, for people. */
  readonly name: string;
  /** What problems say of the job. */
  readonly runId: string | null;
  readonly #settings: LeaseSettings;
  readonly #lost = new AbortController();
  #timer: TimerHandle | null = null;
  #isRenewing = false;
  #isEnded = false;
  /** True when nothing may wait for the handlers any longer. */
  isAbandoned = false;
  #validUntil: number;

  /** `takenAt` is the monotonic time before the store was asked. */
  constructor(
    { lease, key }: Pick<LeasedJob, 'lease' | 'key'>,
    work: Pick<SourceWork<never>, 'walk'>,
    takenAt: number,
    settings: LeaseSettings,
  ) {
    this.lease = lease;
    this.name = jobName(work, key);
    this.runId = runIdOf(work, key);
    this.#settings = settings;
    this.#validUntil = takenAt + settings.leaseMilliseconds;
    this.#lookLater();
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

  /**
   * Stops renewing and aborts what is being handled: the receiver closes without waiting for it.
   */
  abandon(): void {
    this.end();
    this.isAbandoned = true;
    this.#lost.abort(new Error('The receiver was closed before this event was handled.'));
  }

  /** Records that another holder has the job. */
  lose(why: string): void {
    if (this.#isEnded || this.isLost) return;
    this.end();
    const message =
      `Lease of ${this.name} must be held until it is handled, but ${why}. It is ` +
      'handled again. Check the connection to the store and pauses of this process, or raise leaseMilliseconds.';
    this.#settings.report({ code: 'lease_lost', message, eventId: null, runId: this.runId });
    this.#lost.abort(new Error(message));
  }

  /** The next renewal, or the end of the lease: the store may leave a renewal without a result. */
  #lookLater(): void {
    const { clock, leaseMilliseconds } = this.#settings;
    const left = Math.max(this.#validUntil - clock.monotonic(), 1);
    this.#timer = clock.setTimeout(() => this.#look(), Math.min(left, leaseMilliseconds / 3));
  }

  #look(): void {
    if (this.#settings.clock.monotonic() >= this.#validUntil) {
      this.lose('the store did not renew it in time');
      return;
    }
    if (!this.#isRenewing) void this.#renew();
    this.#lookLater();
  }

  async #renew(): Promise<void> {
    const { store, clock, leaseMilliseconds } = this.#settings;
    const at = clock.monotonic();
    this.#isRenewing = true;
    try {
      if (await store.renew(this.lease, leaseMilliseconds)) this.extended(at);
      else this.lose('the store gave it to another holder');
    } catch {
      // The next renewal may succeed. Whoever waits for the store reports that it is down.
    }
    this.#isRenewing = false;
  }
}

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
  readonly key: string | null;
  readonly work: Pick<SourceWork<never>, 'hasRuns'>;
  readonly #settings: LeaseSettings;
  readonly #lost = new AbortController();
  #timer: TimerHandle | null = null;
  #expiry: TimerHandle | null = null;
  #isEnded = false;
  /** True when nothing may wait for the handlers any longer. */
  isAbandoned = false;
  #validUntil: number;

  /** `takenAt` is the monotonic time before the store was asked. */
  constructor(
    { lease, key }: Pick<LeasedJob, 'lease' | 'key'>,
    work: Pick<SourceWork<never>, 'hasRuns'>,
    takenAt: number,
    settings: LeaseSettings,
  ) {
    this.lease = lease;
    this.key = key;
    this.work = work;
    this.#settings = settings;
    this.#validUntil = takenAt + settings.leaseMilliseconds;
    this.#renewLater();
    this.#expireLater();
  }

  /** What problems say of the job. */
  get runId(): string | null {
    return runIdOf(this.work, this.key);
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
    const { clock } = this.#settings;
    this.#isEnded = true;
    if (this.#timer !== null) clock.clearTimeout(this.#timer);
    if (this.#expiry !== null) clock.clearTimeout(this.#expiry);
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
      `Lease of ${jobName(this.work, this.key)} must be held until it is handled, but ${why}. It is ` +
      'handled again. Check the connection to the store and pauses of this process, or raise leaseMilliseconds.';
    this.#settings.report({ code: 'lease_lost', message, eventId: null, runId: this.runId });
    this.#lost.abort(new Error(message));
  }

  #renewLater(): void {
    const { clock, leaseMilliseconds } = this.#settings;
    this.#timer = clock.setTimeout(() => void this.#renew(), leaseMilliseconds / 3);
  }

  /** The store may also leave a renewal without a result. */
  #expireLater(): void {
    const { clock } = this.#settings;
    const left = this.#validUntil - clock.monotonic();
    this.#expiry = clock.setTimeout(
      () => {
        if (clock.monotonic() >= this.#validUntil) this.lose('the store did not renew it in time');
        else this.#expireLater();
      },
      Math.max(left, 1),
    );
  }

  async #renew(): Promise<void> {
    const { store, clock, leaseMilliseconds } = this.#settings;
    const at = clock.monotonic();
    try {
      if (await store.renew(this.lease, leaseMilliseconds)) this.extended(at);
      else this.lose('the store gave it to another holder');
    } catch {
      // The next renewal may succeed. Whoever waits for the store reports that it is down.
    }
    if (!this.#isEnded) this.#renewLater();
  }
}

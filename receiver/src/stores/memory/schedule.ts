import type { Lease, TakeRequest } from '../store.ts';
import { dueQueue } from './due-queue.ts';
import type { WorkRecord } from './works.ts';

/** Which works are due, and who holds which. All times are monotonic. */
export class Schedule {
  /** Free works that are due, in the order in which they became due. */
  readonly #ready = new Set<WorkRecord>();
  readonly #later = dueQueue<WorkRecord>(
    (work) => work.lease === null && !this.#ready.has(work) && work.dueAt !== Infinity,
  );
  readonly #leased = new Set<WorkRecord>();
  #lastToken = 0;

  get leasedCount(): number {
    return this.#leased.size;
  }

  /** Returns the number of works that are due and free. */
  dueCount(now: number): number {
    this.#ripen(now);
    return this.#ready.size;
  }

  /** Sets when a work is due. During a lease it counts from the release. */
  setDue(work: WorkRecord, dueAt: number, now: number): void {
    work.dueAt = dueAt;
    if (work.lease !== null) {
      work.lease.hasNews = true;
      return;
    }
    if (dueAt <= now) this.#ready.add(work);
    else {
      this.#ready.delete(work);
      if (dueAt !== Infinity) this.#later.push(work);
    }
  }

  /** Leases due works. */
  take({ holder, inHand, limit, leaseFor }: TakeRequest, now: number): readonly WorkRecord[] {
    this.#ripen(now);
    this.#takeBack(holder, new Set(inHand), now);
    const taken: WorkRecord[] = [];
    for (const work of this.#ready) {
      if (taken.length === limit) break;
      this.#ready.delete(work);
      this.#lastToken += 1;
      work.lease = {
        holder,
        token: this.#lastToken,
        until: now + leaseFor,
        hasNews: false,
        begun: null,
      };
      this.#leased.add(work);
      taken.push(work);
    }
    return taken;
  }

  /** Ends a lease. The work is due at `dueAt`, or now when something came since. */
  release(work: WorkRecord, dueAt: number, now: number): void {
    const hasNews = work.lease?.hasNews ?? false;
    work.lease = null;
    this.#leased.delete(work);
    this.setDue(work, hasNews ? now : dueAt, now);
  }

  /** Returns the time at which a work is due or a lease ends; `Infinity` when there is none. */
  next(inHand: ReadonlySet<string>, now: number): number {
    this.#ripen(now);
    if (this.#ready.size > 0) return now;
    const ends = [...this.#leased]
      .filter((work) => !inHand.has(workName(work)))
      .map(({ lease }) => lease?.until ?? Infinity);
    return Math.min(this.#later.earliest(), ...ends);
  }

  #ripen(now: number): void {
    for (const work of this.#later.takeDue(now)) this.#ready.add(work);
  }

  /** Frees works whose lease has expired, and works of this holder that it does not handle. */
  #takeBack(holder: string, inHand: ReadonlySet<string>, now: number): void {
    for (const work of this.#leased) {
      const { lease } = work;
      if (lease === null) continue;
      const isOwn = lease.holder === holder;
      if (isOwn ? inHand.has(workName(work)) : lease.until > now) continue;
      if (!isOwn) countCrash(work, lease.begun, now);
      work.lease = null;
      this.#leased.delete(work);
      this.setDue(work, work.dueAt, now);
    }
  }
}

/** Counts the end of a holder against the event that it was handling. */
function countCrash({ events }: WorkRecord, begun: string | null, now: number): void {
  const event = events.find(({ id, state }) => id === begun && state === 'open');
  if (event === undefined) return;
  event.crashes += 1;
  event.retryAt = now;
}

/** Returns the name of a work in leases. */
export function workName({ runId, events }: WorkRecord): string {
  return runId === null ? `event:${events[0]?.id}` : `run:${runId}`;
}

export function isHeld(work: WorkRecord | undefined, { token }: Lease): work is WorkRecord {
  return work !== undefined && work.lease?.token === token;
}

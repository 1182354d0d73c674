import type { Lease, TakeRequest } from '../store.ts';
import { dueQueue } from './due-queue.ts';
import type { JobRecord } from './jobs.ts';

/** Which jobs are due, and who holds which. All times are monotonic. */
export class Schedule {
  /** Free jobs that are due, in the order in which they became due. */
  readonly #ready = new Set<JobRecord>();
  readonly #later = dueQueue<JobRecord>(
    (job) => job.lease === null && !this.#ready.has(job) && job.dueAt !== Infinity,
  );
  readonly #leased = new Set<JobRecord>();
  #lastToken = 0;

  get leasedCount(): number {
    return this.#leased.size;
  }

  /** Returns the number of jobs that are due and free. */
  dueCount(now: number): number {
    this.#ripen(now);
    return this.#ready.size;
  }

  /** Sets when a job is due. During a lease it counts from the release. */
  setDue(job: JobRecord, dueAt: number, now: number): void {
    job.dueAt = dueAt;
    if (job.lease !== null) {
      job.lease.hasNews = true;
      return;
    }
    if (dueAt <= now) this.#ready.add(job);
    else {
      this.#ready.delete(job);
      if (dueAt !== Infinity) this.#later.push(job);
    }
  }

  /** Makes a job due whose events can be handled again, or are open again: now, or when its lease is released. */
  makeDue(job: JobRecord, now: number): void {
    if (job.lease === null) this.setDue(job, now, now);
    else job.lease.isDueAgain = true;
  }

  /** Makes all jobs due that wait for a time. */
  makeAllDue(jobs: Iterable<JobRecord>, now: number): void {
    for (const job of jobs) {
      const isLater = job.dueAt > now && job.dueAt !== Infinity;
      if (job.lease !== null || isLater) this.makeDue(job, now);
    }
  }

  /** Leases due jobs. */
  take({ holder, inHand, limit, leaseFor }: TakeRequest, now: number): readonly JobRecord[] {
    this.#ripen(now);
    this.#takeBack(holder, new Set(inHand), now);
    const taken: JobRecord[] = [];
    for (const job of this.#ready) {
      if (taken.length === limit) break;
      this.#ready.delete(job);
      this.#lastToken += 1;
      job.lease = {
        holder,
        token: this.#lastToken,
        until: now + leaseFor,
        hasNews: false,
        isDueAgain: false,
        begun: null,
      };
      this.#leased.add(job);
      taken.push(job);
    }
    return taken;
  }

  /** Ends a lease. The job is due at `dueAt`, or now when something came since. */
  release(job: JobRecord, dueAt: number, now: number): void {
    const isDue = job.lease?.hasNews === true || job.lease?.isDueAgain === true;
    job.lease = null;
    this.#leased.delete(job);
    this.setDue(job, isDue ? now : dueAt, now);
  }

  /** Returns the time at which a job is due or a lease ends; `Infinity` when there is none. */
  next(inHand: ReadonlySet<string>, now: number): number {
    this.#ripen(now);
    if (this.#ready.size > 0) return now;
    const ends = [...this.#leased]
      .filter((job) => !inHand.has(jobName(job)))
      .map(({ lease }) => lease?.until ?? Infinity);
    return Math.min(this.#later.earliest(), ...ends);
  }

  #ripen(now: number): void {
    for (const job of this.#later.takeDue(now)) this.#ready.add(job);
  }

  /** Frees jobs whose lease has expired, and jobs of this holder that it does not handle. */
  #takeBack(holder: string, inHand: ReadonlySet<string>, now: number): void {
    for (const job of this.#leased) {
      const { lease } = job;
      if (lease === null) continue;
      const isOwn = lease.holder === holder;
      if (isOwn ? inHand.has(jobName(job)) : lease.until > now) continue;
      if (!isOwn) countCrash(job, lease.begun, now);
      job.lease = null;
      this.#leased.delete(job);
      this.setDue(job, job.dueAt, now);
    }
  }
}

/** Counts the end of a holder against the event that it was handling. */
function countCrash({ waiting }: JobRecord, begun: string | null, now: number): void {
  const event = waiting.find(({ id, state }) => id === begun && state === 'open');
  if (event === undefined) return;
  event.crashes += 1;
  event.retryAt = now;
}

/** Returns the name of a job in leases. */
export function jobName({ runId, events }: JobRecord): string {
  return runId === null ? `event:${events[0]?.id}` : `run:${runId}`;
}

export function isHeld(job: JobRecord | undefined, { token }: Lease): job is JobRecord {
  return job !== undefined && job.lease?.token === token;
}

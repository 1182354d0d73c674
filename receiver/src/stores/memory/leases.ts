import type { Lease } from '../store.ts';

/** The leases of a memory store: which token holds which work until when. */
export interface MemoryLeases {
  take(work: string, now: number, until: number): Lease | null;
  isHeld(lease: Lease): boolean;
  renew(lease: Lease, until: number): boolean;
  release(lease: Lease): boolean;
  /** Returns the earliest end of a lease after `now`; `Infinity` when there is none. */
  nextEnd(now: number): number;
}

export function memoryLeases(): MemoryLeases {
  const leases = new Map<string, { token: number; until: number }>();
  let lastToken = 0;
  const isHeld = ({ work, token }: Lease): boolean => leases.get(work)?.token === token;

  return {
    isHeld,
    take(work, now, until) {
      const current = leases.get(work);
      if (current !== undefined && current.until > now) return null;
      lastToken += 1;
      leases.set(work, { token: lastToken, until });
      return { work, token: lastToken };
    },
    renew(lease, until) {
      if (!isHeld(lease)) return false;
      leases.set(lease.work, { token: lease.token, until });
      return true;
    },
    release(lease) {
      return isHeld(lease) && leases.delete(lease.work);
    },
    nextEnd(now) {
      const ends = [...leases.values()].map(({ until }) => until).filter((until) => until > now);
      return ends.reduce((earliest, until) => Math.min(earliest, until), Infinity);
    },
  };
}

import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Returns a unique name for a holder of leases, from which another process of the machine can see
 * that the holder is gone: it contains where the number of this process counts, the number, and
 * when the process started, because numbers are used again. Where there is no `/proc`, it is only
 * unique.
 */
export function holderName(): string {
  const unique = randomUUID();
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    return [unique, placeOfNumbers(), stat.split(' ')[0], startIn(stat)].join(' ');
  } catch {
    return unique;
  }
}

/**
 * Returns a function that tells whether a holder is gone; false where this process cannot know, as
 * in another container.
 */
export function seeingGoneHolders(): (holder: string) => boolean {
  const [, here] = holderName().split(' ');
  return (holder) => {
    const [, place, number = '', startedAt = ''] = holder.split(' ');
    if (place === undefined || place !== here) return false;
    try {
      return startIn(readFileSync(`/proc/${number}/stat`, 'latin1')) !== startedAt;
    } catch (error) {
      return error instanceof Error && 'code' in error && isAbsent(error.code);
    }
  };
}

/**
 * Containers share files and servers, and each counts its processes from 1. A system can hide the
 * processes of other users. Copies of a virtual machine have one boot id, but often names of their
 * own.
 */
function placeOfNumbers(): string {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  const { uid } = statSync('/proc/self');
  const name = encodeURIComponent(hostname());
  return [name, boot, readlinkSync('/proc/self/ns/pid'), uid].join('/');
}

const STATE = 0;
const START = 19;

/**
 * Returns the start in ticks. A process that has ended and whose parent has not noticed has none.
 */
function startIn(stat: string): string {
  // The name of the program comes before, in brackets, and can contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[STATE] === 'Z' ? '' : (fields[START] ?? '');
}

/** The second code is that of a process that ends while its file is read. */
function isAbsent(code: unknown): boolean {
  return code === 'ENOENT' || code === 'ESRCH';
}

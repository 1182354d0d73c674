import { readFileSync, readlinkSync, statSync } from 'node:fs';

/**
 * Names this process so that another one can see that it is gone: where its number counts, the number,
 * and when it started, because numbers are used again. Empty where there is no `/proc`.
 */
export function ownIdentity(): string {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    return [placeOfNumbers(), stat.split(' ')[0], startIn(stat)].join(' ');
  } catch {
    return '';
  }
}

/**
 * Returns false when this process cannot know, for instance about one in another container.
 *
 * @param self - what `ownIdentity()` returned
 */
export function isGone(identity: string, self: string): boolean {
  const [place = '', number = '', startedAt = ''] = identity.split(' ');
  if (place === '' || place !== self.split(' ')[0]) return false;
  try {
    return startIn(readFileSync(`/proc/${number}/stat`, 'latin1')) !== startedAt;
  } catch (error) {
    return error instanceof Error && 'code' in error && isAbsent(error.code);
  }
}

/**
 * Containers of one machine share files, and each counts its processes from 1. A system can hide the
 * processes of other users.
 */
function placeOfNumbers(): string {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  return `${boot}/${readlinkSync('/proc/self/ns/pid')}/${statSync('/proc/self').uid}`;
}

const STATE = 0;
const START = 19;

/** Returns the start in ticks. A process that has ended and whose parent has not noticed has none. */
function startIn(stat: string): string {
  // The name of the program comes before, in brackets, and can contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[STATE] === 'Z' ? '' : (fields[START] ?? '');
}

/** The second code is that of a process that ends while its file is read. */
function isAbsent(code: unknown): boolean {
  return code === 'ENOENT' || code === 'ESRCH';
}

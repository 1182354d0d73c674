import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Returns whether the terminal belongs to this process. A shell gives it to one command at a time: another one gets no
 * Ctrl-C, writes between the lines of the first, and is stopped when it reads keys.
 */
export function isInForeground(): boolean {
  try {
    const [group, foreground] = process.platform === 'linux' ? groupsByProc() : groupsByPs();
    return group !== undefined && group === foreground;
  } catch {
    return false;
  }
}

function groupsByProc(): (string | undefined)[] {
  // The name of the program, in brackets, can contain blanks.
  const [, rest = ''] = /^.*\) (.*)$/s.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
  const fields = rest.split(' ');
  return [fields[2], fields[5]];
}

function groupsByPs(): (string | undefined)[] {
  const args = ['-o', 'pgid=,tpgid=', '-p', String(process.pid)];
  return execFileSync('ps', args, { encoding: 'utf8' }).trim().split(/\s+/);
}

function isStop(key: string): boolean {
  return key === '\u0003' || key === '\u0004';
}

/** More at once than a person types, or than a key sends. */
const MIN_PASTED_CHARACTERS = 6;

/**
 * Reads single keys of a terminal. Ctrl-C and Ctrl-D call `stop`, because a terminal in this mode sends no signal. A
 * text that is pasted does not count as keys: it is one `?`. Returns a function that ends it.
 */
export function readKeys(
  input: NodeJS.ReadStream,
  { pressed, stop }: { readonly pressed: (key: string) => void; readonly stop: () => void },
): () => void {
  const onData = (data: Buffer): void => {
    const keys = Array.from(data, (byte) => String.fromCharCode(byte));
    const isPasted = keys.length >= MIN_PASTED_CHARACTERS && !keys.some(isStop);
    for (const key of isPasted ? ['?'] : keys) {
      if (isStop(key)) stop();
      else pressed(key);
    }
  };
  input.setRawMode(true);
  input.on('data', onData);
  return () => {
    input.off('data', onData);
    input.setRawMode(false);
    input.destroy();
  };
}

import { readdir, readFile } from 'node:fs/promises';

/**
 * Returns the processor time that all threads of a process have used, in seconds. Unlike a rate over real time,
 * it does not include what the client and other programs use. Linux only.
 */
export async function processorSeconds(pid: number): Promise<number> {
  const folder = `/proc/${pid}/task`;
  const threads = await readdir(folder);
  const times = await Promise.all(
    threads.map(async (thread) => {
      // A thread can end in between.
      const text = await readFile(`${folder}/${thread}/schedstat`, 'utf8').catch(() => '0');
      return Number(text.split(' ')[0]);
    }),
  );
  return times.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e9;
}

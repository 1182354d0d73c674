/** Most of the time is waiting: an event that was in hand at the end of its process is handled again after a second. */
const AT_ONCE = 8;

/**
 * Crashes a process at place 1, 2 and so on, until one ends by itself. Returns how many places there are.
 *
 * @param crash - returns whether the process was killed at the place
 */
export async function countPlaces(crash: (place: number) => Promise<boolean>): Promise<number> {
  let next = 1;
  let isOver = false;
  const lane = async (): Promise<void> => {
    while (!isOver) {
      const place = next;
      next += 1;
      if (!(await crash(place))) isOver = true;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return next - AT_ONCE;
}

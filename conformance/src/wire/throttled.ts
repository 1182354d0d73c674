const PAUSE_MILLISECONDS = 10_000;

/** At most one notice in ten seconds, however many wait. */
export function throttled(
  notice: (text: string) => void,
  now: () => number,
): (text: string) => void {
  let next = -Infinity;
  return (text) => {
    if (now() < next) return;
    next = now() + PAUSE_MILLISECONDS;
    notice(text);
  };
}

const AT_ONCE = 2;
let free = AT_ONCE;
const waiting: (() => void)[] = [];

/** Runs a piece of work when one of the two turns is free: more at once would only wait for the processor. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
  else free -= 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }
}

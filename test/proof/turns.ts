/** Runs work as soon as a resource is free. */
type InTurn<T> = <R>(work: (thing: T) => Promise<R>) => Promise<R>;

/** Shares resources, each of which is used by one piece of work at a time. */
export function shareOut<T>(things: readonly T[]): InTurn<T> {
  const free = [...things];
  const waiting: ((thing: T) => void)[] = [];

  const take = (): Promise<T> =>
    new Promise((resolve) => {
      const thing = free.pop();
      if (thing === undefined) waiting.push(resolve);
      else resolve(thing);
    });

  return async (work) => {
    const thing = await take();
    try {
      return await work(thing);
    } finally {
      const next = waiting.shift();
      if (next === undefined) free.push(thing);
      else next(thing);
    }
  };
}

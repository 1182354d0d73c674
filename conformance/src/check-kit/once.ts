import { isLostConnection } from '../wire/transport.ts';
import type { CheckContext } from './check.ts';

type Make<Value> = (context: CheckContext) => Promise<Value>;

/**
 * Makes a value once for each run and attempt, so that checks share it: the first check that needs it makes it, and the
 * others wait for it. They share a failure too. After a lost connection, the first check that is repeated makes it again.
 */
export function once<Value>(make: Make<Value>): Make<Value> {
  return cached(make, ({ attempt }) => attempt);
}

/** The same once for each run, for what cannot be made again. */
export function onceInARun<Value>(make: Make<Value>): Make<Value> {
  return cached(make, () => 1);
}

function cached<Value>(make: Make<Value>, turnOf: (context: CheckContext) => number): Make<Value> {
  const runs = new WeakMap<object, Map<number, Promise<Value>>>();
  return (context) => {
    const made = runs.get(context.run) ?? new Map<number, Promise<Value>>();
    runs.set(context.run, made);
    const turn = turnOf(context);
    const known = made.get(turn);
    if (known !== undefined) return known;
    const pending = make(context);
    made.set(turn, pending);
    pending.catch((error: unknown) => {
      if (isLostConnection(error)) made.delete(turn);
    });
    return pending;
  };
}

import { isLostConnection } from '../wire/transport.ts';
import type { CheckContext } from './check.ts';

/** Makes a value once for each run, for what cannot be made again. Checks share a failure of it too, but no lost connection. */
export function onceInARun<Value>(
  make: (context: CheckContext) => Promise<Value>,
): (context: CheckContext) => Promise<Value> {
  const made = new WeakMap<object, Promise<Value>>();
  return (context) => {
    const cached = made.get(context.run);
    if (cached !== undefined) return cached;
    const pending = make(context);
    made.set(context.run, pending);
    pending.catch((error: unknown) => {
      if (isLostConnection(error)) made.delete(context.run);
    });
    return pending;
  };
}

/**
 * Makes a value once for each run and attempt, so that checks share it: the first check that needs it makes it, and the
 * others wait for it. They share a failure too. After a lost connection, the first check that is repeated makes it again.
 */
export function once<Value>(
  make: (context: CheckContext) => Promise<Value>,
): (context: CheckContext) => Promise<Value> {
  const made = new WeakMap<object, Map<number, Promise<Value>>>();
  return (context) => {
    const ofRun = made.get(context.run) ?? new Map<number, Promise<Value>>();
    made.set(context.run, ofRun);
    const cached = ofRun.get(context.attempt);
    if (cached !== undefined) return cached;
    const pending = make(context);
    ofRun.set(context.attempt, pending);
    pending.catch((error: unknown) => {
      if (isLostConnection(error)) ofRun.delete(context.attempt);
    });
    return pending;
  };
}

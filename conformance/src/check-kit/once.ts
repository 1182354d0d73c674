import { isLostConnection } from '../wire/transport.ts';
import type { CheckContext } from './check.ts';

/** A connection that is lost again and again is a failure. */
const MAX_REPEATS = 4;

/**
 * Makes a value once for each run and attempt, so that checks share it: the first check that needs it makes it, and the
 * others wait for it. It is made again after a lost connection. They share every other failure.
 */
export function once<Value>(
  make: (context: CheckContext) => Promise<Value>,
): (context: CheckContext) => Promise<Value> {
  const made = new WeakMap<object, Map<number, Promise<Value>>>();
  return (context) => {
    const ofRun = made.get(context.run) ?? new Map<number, Promise<Value>>();
    made.set(context.run, ofRun);
    const cached = ofRun.get(context.attempt) ?? madeBy(make, context);
    ofRun.set(context.attempt, cached);
    return cached;
  };
}

async function madeBy<Value>(
  make: (context: CheckContext) => Promise<Value>,
  context: CheckContext,
): Promise<Value> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await make(context);
    } catch (error) {
      if (repeats === MAX_REPEATS || context.signal.aborted || !isLostConnection(error))
        throw error;
    }
  }
}

import type { Clock } from './clock.ts';

/** What a promise comes to, or `null` when that takes longer; the promise then goes on alone. */
export function within<Value>(
  promise: Promise<Value>,
  milliseconds: number,
  clock: Clock,
): Promise<{ readonly value: Value } | null> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => resolve(null), milliseconds);
    promise.then(
      (value) => {
        clock.clearTimeout(timer);
        resolve({ value });
      },
      (error: unknown) => {
        clock.clearTimeout(timer);
        reject(error);
      },
    );
  });
}

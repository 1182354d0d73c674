import { AsyncResource } from 'node:async_hooks';

/**
 * Returns a function that runs in the context of now, whoever calls it. What a delivery starts
 * would otherwise see the `AsyncLocalStorage` of its request, also when it handles the event of
 * another one.
 */
export function inThisContext<Result>(work: () => Result): () => Result {
  return AsyncResource.bind(work);
}

export { fetchRunFrom } from './fetch-run-from.ts';
export type { FetchRunFromOptions } from './fetch-run-from.ts';
export { FetchRunError } from './fetch-run-error.ts';
export type { FetchRunErrorOptions } from './fetch-run-error.ts';
export type { FetchedRun, FetchRun } from './fetched-run.ts';

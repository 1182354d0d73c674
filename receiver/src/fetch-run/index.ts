export { fetchRunFrom } from './fetch-run-from.ts';
export type { FetchRunFromOptions } from './fetch-run-from.ts';
export { FETCH_RUN_ERROR_CODES, FetchRunError } from './fetch-run-error.ts';
export type { FetchRunErrorCode, FetchRunErrorOptions } from './fetch-run-error.ts';
export type { FetchedRun, FetchRun } from './fetched-run.ts';

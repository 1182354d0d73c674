import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Check, ConformanceOptions, Report } from '@hookproof/conformance';

import type * as suite from '../../../conformance/src/run-suite.ts';
import { ROOT } from '../../compiled-program.ts';
import { requirements } from './checks.ts';
import { KEY, startTarget } from './target.ts';
import type { SeenRequest, TargetResponses } from './target.ts';

const path = join(ROOT, 'conformance/dist/run-suite.js');
const { runSuite }: typeof suite = await import(pathToFileURL(path).href);

/** A result of a scenario, which is printed as JSON. */
export type Scenario = () => Promise<unknown>;

export interface SeenRun {
  readonly report: Report;
  readonly seen: readonly SeenRequest[];
}

/** Runs checks of a test instead of the catalogue. */
export function runChecks(checks: readonly Check[], options: ConformanceOptions): Promise<Report> {
  return runSuite(options, { checks, requirements });
}

/**
 * Runs checks against a new target; returns the report and the requests that the target received. Options are beside the
 * API and its key, or instead of them when they are made from its address.
 */
export async function run(
  checks: readonly Check[],
  options: ConformanceOptions | ((baseUrl: string) => ConformanceOptions) = {},
  responses: TargetResponses = {},
): Promise<SeenRun> {
  const target = await startTarget(responses);
  const { baseUrl, seen } = target;
  const given =
    typeof options === 'function' ? options(baseUrl) : { baseUrl, key: KEY, ...options };
  try {
    return { report: await runChecks(checks, given), seen };
  } finally {
    target.close();
  }
}

export const CONTROL_TOKEN = 'token-of-the-control';

/** Runs checks against a new target with a control interface, which gives the keys. */
export function runControlled(
  checks: readonly Check[],
  options: ConformanceOptions,
  responses: TargetResponses,
): Promise<SeenRun> {
  const given = (baseUrl: string): ConformanceOptions => ({
    baseUrl,
    control: { url: `${baseUrl}/_control`, token: CONTROL_TOKEN },
    ...options,
  });
  return run(checks, given, responses);
}

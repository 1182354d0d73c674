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

/** Runs checks against a new target; returns the report and the requests that the target received. */
export async function run(
  checks: readonly Check[],
  options: ConformanceOptions = {},
  responses: TargetResponses = {},
): Promise<SeenRun> {
  const target = await startTarget(responses);
  try {
    const report = await runChecks(checks, { baseUrl: target.baseUrl, key: KEY, ...options });
    return { report, seen: target.seen };
  } finally {
    target.close();
  }
}

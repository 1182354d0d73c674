import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { Report } from '@hookproof/conformance';

import { compiledProgram } from '../compiled-program.ts';

/** What one scenario of `programs/` gave. */
export interface ScenarioResult {
  readonly report: Report;
  /** Requests in the order in which the target saw them. */
  readonly seen: readonly {
    readonly method: string;
    readonly path: string;
    readonly body: string;
    readonly port: number;
    readonly authorization: string | null;
  }[];
  readonly [other: string]: unknown;
}

type ScenarioResults = Readonly<Record<string, ScenarioResult>>;

let shared: Promise<ScenarioResults> | null = null;

/** What every scenario gave. The test files of a worker share one run, so they must not change it. */
export function scenarioResults(): Promise<ScenarioResults> {
  return (shared ??= runScenarios());
}

/** Runs the scenarios in a process of their own: the runner inside the suite is the one that runs these tests. */
async function runScenarios(): Promise<ScenarioResults> {
  const main = compiledProgram(new URL('programs/main.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [main], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout);
}

/** The result of one scenario; a misspelt name is an error. */
export function pick(results: ScenarioResults, name: string): ScenarioResult {
  const result = results[name];
  if (result === undefined) throw new Error(`no scenario is called ${name}`);
  return result;
}

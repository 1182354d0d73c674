import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';

import type { Report } from '@hookproof/conformance';

import { compiledProgram } from '../compiled-program.ts';

let report: Report;
let methods: readonly string[] = [];

beforeAll(async () => {
  const main = compiledProgram(new URL('programs/default-run.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [main], {
    maxBuffer: 64 * 1024 * 1024,
  });
  ({ report, methods } = JSON.parse(stdout));
});

test('a default run finds the reference server conformant', () => {
  const others = report.checks.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'locked');
  // The server was not busy.
  expect(others.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    'api.status-code.passing-429 not-applicable',
    'api.status-code.passing-503 not-applicable',
  ]);
  expect([report.outcome, report.exitCode]).toEqual(['conformant', 0]);
});

test('it says how much stayed locked', () => {
  const [, writes, deletes] =
    /^conformant, read-only: (\d+) checks need --allow-writes; (\d+) checks need --allow-deletes$/.exec(
      report.headline,
    ) ?? [];
  expect(Number(writes)).toBeGreaterThan(0);
  expect(Number(deletes)).toBeGreaterThan(0);
  expect(report.counts.locked).toBe(Number(writes) + Number(deletes));
});

test('nothing but reads was on the wire, and few of them', () => {
  expect(new Set([...methods, 'GET', 'HEAD'])).toEqual(new Set(['GET', 'HEAD']));
  expect(methods).not.toEqual([]);
  expect(methods.length).toBeLessThanOrEqual(300);
  expect(report.wire).toEqual({
    requests: methods.length,
    writes: 0,
    deliveries: 0,
    controlRequests: 0,
    bytesSent: 0,
  });
});

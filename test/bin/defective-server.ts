import { tmpdir } from 'node:os';

import type { Proof } from '@hookproof/conformance/proof';
import { expect, onTestFinished } from 'vitest';

import { hookproof, startServer } from './hookproof.ts';
import type { Serving } from './hookproof.ts';

/** Starts a server with a virtual clock, so that no retry waits. It ends with the test. */
export async function started(...options: readonly string[]): Promise<Serving> {
  const server = await startServer(['--clock', 'virtual', ...options], { cwd: tmpdir() });
  onTestFinished(async () => {
    await server.stop();
  });
  return server;
}

/** The options that name the server, its control interface and its sender. */
export function target({ baseUrl, appUrl, controlUrl, controlToken }: Serving): string[] {
  const control = ['--control-url', controlUrl, '--control-token', controlToken];
  return ['--base-url', baseUrl, '--app-url', appUrl, ...control, '--sender', '--allow-writes'];
}

/** Proves these checks, and expects that a defect turned each of their passes red. Returns how many there are. */
export async function expectProven(only: string): Promise<number> {
  const args = ['check', '--prove', ...target(await started()), '--only', only, '--json'];
  const { code, stdout } = await hookproof(args);
  const { report, proven, unproven }: Proof = JSON.parse(stdout);
  const passes = report.checks.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
  expect([...proven, ...unproven].map(({ check }) => check).toSorted()).toEqual(passes.toSorted());
  expect(unproven).toEqual([]);
  expect(code).toBe(0);
  return passes.length;
}

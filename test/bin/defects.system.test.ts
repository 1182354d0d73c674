import { defects } from '@hookproof/conformance/proof';
import type { Proof } from '@hookproof/conformance/proof';
import { describe, expect, test } from 'vitest';

import { hookproof, optionsOf, serve } from './hookproof.ts';
import type { Serving } from './hookproof.ts';

/** A virtual clock, so that no retry waits. */
const started = (...options: string[]): Promise<Serving> =>
  serve(['--clock', 'virtual', ...options]);

/** The options that name the server, its control interface and its sender. */
function target(server: Serving): string[] {
  return [...optionsOf(server), '--sender', '--allow-writes'];
}

describe('hookproof serve --defect', () => {
  test.each([
    { defect: 'missing-key-admitted', area: 'api.key-required' },
    { defect: 'retry-after-204', area: 'sender.end' },
  ])('$defect: check finds it', async ({ defect, area }) => {
    const server = await started('--defect', defect);
    const { code, stdout } = await hookproof(['check', ...target(server), '--only', area]);
    expect(stdout).toContain('violated');
    expect(code).toBe(1);
  });

  test('--list-defects prints each id', async () => {
    const { code, stdout } = await hookproof(['serve', '--list-defects']);
    expect(stdout.trimEnd().split('\n')).toHaveLength(defects.length);
    expect(code).toBe(0);
  });
});

describe('hookproof check --prove', () => {
  test('names the defect that turned each pass of two areas red', async () => {
    const only = ['--only', 'api.key-required,sender.end'];
    const args = ['check', '--prove', ...target(await started()), ...only, '--json'];
    const { code, stdout } = await hookproof(args);
    const { report, proven, unproven }: Proof = JSON.parse(stdout);
    const passes = report.checks.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
    expect(passes.length).toBeGreaterThan(15);
    expect(proven.map(({ check }) => check).toSorted()).toEqual(passes.toSorted());
    expect(unproven).toEqual([]);
    expect(code).toBe(0);
  });

  test('an unreachable target ends with exit code 4', async () => {
    const { code } = await hookproof(['check', '--prove', '--base-url', 'http://127.0.0.1:1']);
    expect(code).toBe(4);
  });

  test('a pass that is red by itself keeps the exit code of the check', async () => {
    const server = await started('--defect', 'missing-key-admitted');
    const only = ['--only', 'api.key-required.inbox'];
    const { code } = await hookproof(['check', '--prove', ...target(server), ...only]);
    expect(code).toBe(1);
  });
});

import { defects } from '@hookproof/conformance/proof';
import { describe, expect, test } from 'vitest';

import { expectProven, started, target } from './defective-server.ts';
import { hookproof } from './hookproof.ts';

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
  test('names the defect that turned each pass red', async () => {
    const two = 'api.key-required.inbox,sender.end.on-4xx';
    expect(await expectProven(two)).toBe(2);
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

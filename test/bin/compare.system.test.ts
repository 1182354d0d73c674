import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { renderJson } from '@hookproof/conformance';
import type { CheckReport } from '@hookproof/conformance';

import { sampleCheck, sampleRed, sampleReport } from '../conformance/report/sample-report.ts';
import { emptyFolder } from '../empty-folder.ts';
import { hookproof } from './hookproof.ts';
import type { Finished } from './hookproof.ts';

const RED = sampleRed('x');
const GREEN = sampleCheck({ id: RED.id });

function compare(before: CheckReport, after: CheckReport, ...more: string[]): Promise<Finished> {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'a.json'), renderJson(sampleReport([before])));
  writeFileSync(join(cwd, 'b.json'), renderJson(sampleReport([after])));
  return hookproof(['check', '--compare', 'a.json', 'b.json', ...more], { cwd });
}

describe('hookproof check --compare, of two files', () => {
  test('ends with 1 for a new fail', async () => {
    const { code, stdout, stderr } = await compare(GREEN, RED);
    expect(stdout).toContain('New fails\n  api.sample.red: pass → fail');
    expect(stderr).toBe('');
    expect(code).toBe(1);
  });

  test('ends with 0 for a fixed check', async () => {
    const { code, stdout } = await compare(RED, GREEN);
    expect(stdout).toContain('Fixed\n  api.sample.red: fail → pass');
    expect(code).toBe(0);
  });

  test('prints JSON on request', async () => {
    const { code, stdout } = await compare(GREEN, RED, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ newFails: [{ check: RED.id }], fixed: [] });
    expect(code).toBe(1);
  });
});

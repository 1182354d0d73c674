import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '@hookproof/conformance';
import { describe, expect, test } from 'vitest';

import { prepareFolder } from '../../bin/demo/output.ts';
import { emptyFolder } from '../empty-folder.ts';
import { hookproof, hookproofProcess } from './hookproof.ts';

function processesWithEnvironment(text: string): string[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && existsSync(`/proc/${entry}/environ`))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(text);
      } catch {
        return false;
      }
    });
}

describe('hookproof demo', () => {
  test('runs everything once, exits with 0, and writes only to its folder', async () => {
    const cwd = emptyFolder();
    const { code, stdout, stderr } = await hookproofProcess(['demo'], { cwd });
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toContain('duplicate');
    const handled = stdout.replaceAll(/\s+/g, ' ');
    const end = 'every event, once and in order';
    expect(handled).toContain(
      `invoice ${end} pending → running → waiting → running → waiting → running → finalizing → completed`,
    );
    expect(handled).toContain(
      `research ${end} created → pending → running → finalizing → completed`,
    );
    expect(handled).toContain(`import ${end} pending → running → failed`);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).toMatch(
      /\nReport: hookproof-demo\/report\.html\nNext: {3}npx hookproof serve [^\n]+\n$/,
    );

    expect(readdirSync(cwd)).toEqual(['hookproof-demo']);
    const report: Report = JSON.parse(
      readFileSync(join(cwd, 'hookproof-demo/report.json'), 'utf8'),
    );
    expect(report.outcome).toBe('conformant');
    const sides = new Set(report.checks.map((check) => check.side));
    expect(sides).toEqual(new Set(['api', 'sender', 'receiver']));
    expect(readFileSync(join(cwd, 'hookproof-demo/report.html'), 'utf8')).toContain('<html');
    if (existsSync('/proc')) expect(processesWithEnvironment(cwd)).toEqual([]);
  });

  test('replaces the output of an earlier demo', () => {
    const folder = join(emptyFolder(), 'demo');
    prepareFolder(folder);
    writeFileSync(join(folder, 'report.html'), 'old');
    prepareFolder(folder);
    expect(readdirSync(folder)).toEqual(['.hookproof-demo']);
  });

  test('refuses a folder with other files, and changes nothing in it', async () => {
    const cwd = emptyFolder();
    mkdirSync(join(cwd, 'mine'));
    writeFileSync(join(cwd, 'mine/precious.txt'), 'keep');
    const { code, stderr } = await hookproof(['demo', '--out', 'mine'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('--out');
    expect(readFileSync(join(cwd, 'mine/precious.txt'), 'utf8')).toBe('keep');
  });
});

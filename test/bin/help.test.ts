import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { createProgram } from '../../bin/dist/main.js';
import { hookproof, runInProcess } from './hookproof.ts';

/** The pages that explain the options which the help only names. */
const PAGES: Readonly<Record<string, string>> = {
  serve: 'server-reference/README.md',
  check: 'conformance/docs/options.md',
};

const program = await createProgram({ writeOut: () => {}, writeErr: () => {} });
const commands = program.commands.filter((command) => command.name() !== 'help');

describe('help', () => {
  test.each(['', ...commands.map((command) => command.name())])(
    'of "%s" has examples, in 40 lines of 80 columns',
    async (name) => {
      const args = [name, '--help'].filter((word) => word !== '');
      const { code, stdout, stderr } = await runInProcess(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('Usage: hookproof');
      expect(stdout).toMatch(/Examples.*:\n {2}\$ hookproof/);
      const lines = stdout.trimEnd().split('\n');
      expect(lines.length).toBeLessThanOrEqual(40);
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
    },
  );

  test.each(commands.map((command) => [command.name(), command] as const))(
    'of %s names each rare option, and a page explains it',
    async (name, { options }) => {
      const { stdout } = await runInProcess([name, '--help']);
      const named = new Set(stdout.match(/--[a-z-]+/g));
      const rare = options.filter(({ hidden }) => hidden).map(({ long = '' }) => long);
      const { [name]: file } = PAGES;
      const page = file && readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
      expect(rare.filter((option) => !named.has(option))).toEqual([]);
      expect(rare.filter((option) => !page?.includes(`\`${option}`))).toEqual([]);
    },
  );

  test.each(['--version', '-v'])('%s prints the version alone', async (option) => {
    const { code, stdout } = await hookproof([option]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ROOT } from '../compiled-program.ts';
import { emptyFolder } from '../empty-folder.ts';
import { startServer } from './hookproof.ts';
import type { Finished, Serving } from './hookproof.ts';

interface Action {
  readonly inputs: Record<string, { readonly default: string }>;
  readonly runs: {
    readonly steps: readonly {
      readonly id: string;
      readonly run: string;
      readonly env?: Record<string, string>;
    }[];
  };
}

const action: Action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));

let server: Serving;
beforeAll(async () => {
  server = await startServer([], { cwd: tmpdir() });
});
afterAll(() => server.stop());

/** Runs the step as the runner does: expressions of its environment are replaced, then bash runs its script. */
async function runCheckStep(
  inputs: Record<string, string>,
  cwd: string,
): Promise<Finished & { output: string }> {
  const step = action.runs.steps.find(({ id }) => id === 'check');
  if (step === undefined) throw new Error('action.yml must have the step check');
  const outputFile = join(cwd, 'output');
  writeFileSync(outputFile, '');
  const script = join(cwd, 'step.sh');
  writeFileSync(script, step.run);
  const env = Object.fromEntries(
    Object.entries(step.env ?? {}).map(([name, value]) => [
      name,
      value.replace(/\$\{\{ inputs\.([a-z-]+) \}\}/, (_, input: string) => {
        return inputs[input] ?? action.inputs[input]?.default ?? '';
      }),
    ]),
  );
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
    cwd,
    env: {
      PATH: process.env['PATH'],
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTION_PATH: ROOT,
      GITHUB_OUTPUT: outputFile,
      GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, stdout, stderr, output: readFileSync(outputFile, 'utf8') };
}

test('the action passes each input to its step, and puts no expression into a script', () => {
  const used = action.runs.steps.flatMap(({ env = {} }) =>
    Object.values(env).map((value) => /inputs\.([a-z-]+)/.exec(value)?.[1]),
  );
  expect(new Set(used)).toEqual(new Set(Object.keys(action.inputs)));
  expect(action.runs.steps.filter(({ run }) => run.includes('${{'))).toEqual([]);
});

describe('the check step of the action', () => {
  test('checks a target with the key in the environment, and writes its reports', async () => {
    const cwd = emptyFolder();
    const { code, stdout, stderr, output } = await runCheckStep(
      {
        'base-url': server.baseUrl,
        key: server.keys.wildcard,
        only: 'api.key-required.inbox',
        reports: 'junit=junit.xml\njson=a report.json\n',
        arguments: '--only\napi.key-required.templates',
      },
      cwd,
    );
    expect(stderr).toBe(
      'junit.xml is written (junit report).\na report.json is written (json report).\n',
    );
    expect(stdout).toContain('conformant');
    expect(output).toBe('exit-code=0\n');
    expect(code).toBe(0);
    expect(readFileSync(join(cwd, 'junit.xml'), 'utf8')).toContain('tests="3"');
    expect(JSON.parse(readFileSync(join(cwd, 'a report.json'), 'utf8')).checks).toHaveLength(2);
    expect(readFileSync(join(cwd, 'summary.md'), 'utf8')).toMatch(/^## Hookproof: conformant/);
  });

  test('fails with the exit code of the run', async () => {
    const { code, output } = await runCheckStep(
      { 'base-url': 'http://127.0.0.1:9' },
      emptyFolder(),
    );
    expect(output).toBe('exit-code=4\n');
    expect(code).toBe(4);
  });

  test('runs no command that stands in an input', async () => {
    const cwd = emptyFolder();
    const hostile = '$(touch injected)`touch injected`"; touch injected; "';
    const { code, stderr } = await runCheckStep({ 'base-url': hostile, only: hostile }, cwd);
    expect(stderr).toContain('Expected a URL such as http://127.0.0.1:4010.');
    expect(code).toBe(2);
    expect(() => readFileSync(join(cwd, 'injected'))).toThrow('ENOENT');
  });
});

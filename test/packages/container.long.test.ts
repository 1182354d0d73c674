import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { ROOT } from '../compiled-program.ts';
import { emptyFolder } from '../empty-folder.ts';

/** The commands of the RUN instructions, without their mounts. */
function runCommands(): string[] {
  const text = readFileSync(join(ROOT, 'Containerfile'), 'utf8').replaceAll('\\\n', '');
  return [...text.matchAll(/^RUN (.*)$/gm)].map(([, command = '']) =>
    command.replace(/--mount=\S+/, '').trim(),
  );
}

test('the steps of the Containerfile give a command line that works without the sources', () => {
  const folder = emptyFolder();
  const [source, packages, prefix] = ['source', 'packages', 'prefix'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  mkdirSync(source);
  const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: ROOT, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['x', '-C', source], { input: archive });
  // The environment also names the registry of the machine.
  const env = { ...process.env, npm_config_prefix: prefix };
  const commands = runCommands();
  expect(commands).toHaveLength(3);
  for (const command of commands) {
    const local = command
      .replaceAll('/packages', packages)
      .replace('&& npm cache clean --force', '');
    execFileSync('sh', ['-ec', local], { cwd: source, env, stdio: 'pipe' });
  }
  rmSync(source, { recursive: true });
  const run = (...args: string[]): string =>
    execFileSync(join(prefix, 'bin/hookproof'), args, { cwd: folder, env, encoding: 'utf8' });
  expect(run('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(run('check', '--help')).toContain('Examples:');
});

test('the image runs without root', () => {
  const text = readFileSync(join(ROOT, 'Containerfile'), 'utf8');
  const last = text.slice(text.lastIndexOf('FROM '));
  expect(last).toMatch(/^USER node$/m);
  expect(last).toMatch(/^ENTRYPOINT \["hookproof"\]$/m);
});

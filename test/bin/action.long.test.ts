import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { ROOT } from '../compiled-program.ts';
import { emptyFolder } from '../empty-folder.ts';

test('the action installs what its command is built from', () => {
  const clone = join(emptyFolder(), 'action');
  const { runs } = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
  const [build] = runs.steps;
  const script = `git -c safe.directory='*' clone -q '${ROOT}' '${clone}' && ${build.run}`;
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], GITHUB_ACTION_PATH: clone };
  const built = spawnSync('bash', ['-eo', 'pipefail', '-c', script], { env, encoding: 'utf8' });
  expect(built.stderr.replaceAll(/^npm (warn|notice).*\n/gm, '')).toBe('');
  expect(built.status).toBe(0);
  const command = [join(clone, 'bin/hookproof.js'), 'check', '--list', 'api.auth-check.identity'];
  expect(spawnSync(process.execPath, command, { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('api.auth-check.identity'),
  });
});

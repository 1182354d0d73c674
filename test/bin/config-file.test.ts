import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { emptyFolder, hookproof } from './hookproof.ts';

function folderWith(config: string): string {
  const folder = emptyFolder();
  writeFileSync(join(folder, 'hookproof.config.json'), config);
  return folder;
}

describe('hookproof.config.json', () => {
  test.each([
    ['{"serve": {"port": "x"}}', 'Expected a whole number from 0 to 65535.'],
    ['{"serve": {"prot": 1}}', 'serve has no prot; it has port, data'],
    ['{"serve": {"json": "yes"}}', 'json must be true or false'],
    ['{"serve": {"clock": "lunar"}}', 'clock must be one of real, virtual'],
    ['{"serve": {"seed": {}}}', 'seed must be text or a number'],
    ['{"serve": 7}', 'serve must hold an object'],
    ['[]', 'must hold a JSON object'],
    ['{', 'is not readable as JSON'],
  ])('%s is a usage error that names the place', async (config, message) => {
    const { code, stderr } = await hookproof(['serve'], { cwd: folderWith(config) });
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(code).toBe(2);
  });

  test('gives way to the environment and to the command line', async () => {
    const cwd = folderWith('{"check": {"baseUrl": "http://127.0.0.1:9", "key": "from-file"}}');
    const fromFile = await hookproof(['check'], { cwd });
    expect(fromFile.code).toBe(4);
    expect(fromFile.stdout).toContain('http://127.0.0.1:9');
    const fromEnvironment = await hookproof(['check'], {
      cwd,
      env: { HOOKPROOF_BASE_URL: 'http://127.0.0.1:7' },
    });
    expect(fromEnvironment.code).toBe(4);
    expect(fromEnvironment.stdout).toContain('http://127.0.0.1:7');
    const fromFlag = await hookproof(['check', '--base-url', 'http://127.0.0.1:11'], { cwd });
    expect(fromFlag.code).toBe(4);
    expect(fromFlag.stdout).toContain('http://127.0.0.1:11');
  });
});

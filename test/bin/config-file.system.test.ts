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
  test('is read from the working folder; its errors end the process with 2', async () => {
    const cwd = folderWith('{"serve": {"port": "x"}}');
    const { code, stderr } = await hookproof(['serve'], { cwd });
    expect(stderr).toBe(
      'error: hookproof.config.json: serve.port must be an integer from 0 to 65535, got "x".\n',
    );
    expect(code).toBe(2);
  });

  test('is overridden by the environment and by the command line', async () => {
    const cwd = folderWith('{"check": {"baseUrl": "http://127.0.0.1:9", "key": "from-file"}}');
    const env = { HOOKPROOF_BASE_URL: 'http://127.0.0.1:7' };
    const flag = ['--base-url', 'http://127.0.0.1:11'];
    const runs = await Promise.all([
      hookproof(['check'], { cwd }),
      hookproof(['check'], { cwd, env }),
      hookproof(['check', ...flag], { cwd, env }),
    ]);
    const ports = runs.map(({ stdout }) => /http:\/\/127\.0\.0\.1:(\d+)/.exec(stdout)?.[1]);
    expect(ports).toEqual(['9', '7', '11']);
    expect(runs.map(({ code }) => code)).toEqual([4, 4, 4]);
  });
});

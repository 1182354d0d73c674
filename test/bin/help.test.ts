import { describe, expect, test } from 'vitest';

import { hookproof } from './hookproof.ts';

describe('help', () => {
  test.each([[], ['serve'], ['check'], ['demo']])(
    '%s --help shows examples',
    async (...command) => {
      const { code, stdout, stderr } = await hookproof([...command, '--help']);
      expect(code).toBe(0);
      expect(stdout).toContain('Usage: hookproof');
      expect(stdout).toMatch(/Examples:\n {2}\$ hookproof/);
      expect(stderr).toBe('');
    },
  );

  test('--version prints the version alone', async () => {
    const { code, stdout } = await hookproof(['--version']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.each([
    [['frobnicate'], "unknown command 'frobnicate'"],
    [['serve', '--prot', '1'], "unknown option '--prot'\n(Did you mean --port?)"],
    [['serve', '--port', '70000'], 'Expected a whole number from 0 to 65535.'],
    [['serve', '--port', '1e3'], 'Expected a whole number from 0 to 65535.'],
    [['serve', '--data', 'd', '--memory'], "option '--data <folder>' cannot be used with option"],
    [['serve', '--rate-limit', '100'], 'Expected requests/seconds such as 100/60'],
    [['serve', '--rate-limit', '0/60'], 'Expected requests/seconds such as 100/60'],
    [['serve', '--body-limit', '-1'], 'Expected a whole number from 0'],
    [['serve', '--app-port', '4010'], 'leave it out to share one, or give another'],
    [['serve', '--now', '2026-07-01'], 'Expected a moment in UTC such as 2026-07-01T00:00:00Z.'],
    [['serve', '--now', '2026-07-01T00:00:00Z'], '--now is for a virtual clock'],
    [['serve', '--clock', 'lunar'], 'Allowed choices are real, virtual.'],
    [['check', '--base-url', 'ftp://x'], 'Expected an address such as http://127.0.0.1:4010.'],
    [['check', '--report', 'pdf=x'], 'Expected kind=FILE, with the kind html or json.'],
    [['check'], '--base-url'],
    [['check', '--receiver', 'http://127.0.0.1:9/'], 'add --secret'],
    [['check', '--control-url', 'http://127.0.0.1:9/'], 'add the other one'],
    [
      ['check', '--base-url', 'http://127.0.0.1:9', '--fixtures', 'none.json'],
      '--fixtures none.json',
    ],
  ])('%j is a usage error that names the fix', async (args, message) => {
    const { code, stdout, stderr } = await hookproof(args);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});

import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { hookproof, runInProcess } from './hookproof.ts';

describe('help', () => {
  test.each([
    [],
    ['serve'],
    ['trigger'],
    ['redeliver'],
    ['clock'],
    ['fault'],
    ['listen'],
    ['inbox'],
    ['explain'],
    ['check'],
    ['mcp'],
    ['demo'],
  ])('%s --help shows examples', async (...command) => {
    const { code, stdout, stderr } = await runInProcess([...command, '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('Usage: hookproof');
    expect(stdout).toMatch(/Examples:\n {2}\$ hookproof/);
    expect(stderr).toBe('');
  });

  test('that of check fits two terminals, and a page explains each of its options', async () => {
    const { stdout } = await runInProcess(['check', '--help']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const options = [...stdout.matchAll(/--[a-z-]+/g)].map(([option]) => option);
    expect(new Set(options).size).toBeGreaterThan(30);
    const file = new URL('../../conformance/docs/options.md', import.meta.url);
    const page = readFileSync(file, 'utf8');
    expect(options.filter((option) => !page.includes(`\`${option}`))).toEqual([]);
  });

  test.each(['--version', '-v'])('%s prints the version alone', async (option) => {
    const { code, stdout } = await hookproof([option]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('a usage error', () => {
  test('ends the process with 2 and prints only to standard error', async () => {
    const { code, stdout, stderr } = await hookproof(['check']);
    expect(stderr).toMatch(/^error: check requires --base-url or --receiver\. .*\n$/);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test.each([
    [['frobnicate'], "unknown command 'frobnicate'"],
    [['help', 'nope'], 'help must be followed by a command, got nope.'],
    [['help', 'serv'], 'got serv. Did you mean serve?'],
    [['explain', 'nope'], 'nope must be a folder that hookproof listen --save wrote'],
    [['serve', '--prot', '1'], "unknown option '--prot'\n(Did you mean --port?)"],
    [['serve', '--port', '70000'], '--port must be an integer from 0 to 65535, got 70000.'],
    [['serve', '--port', '1e3'], 'must be an integer from 0 to 65535, got 1e3.'],
    [['serve', '--log', 'json', '--quiet'], '--quiet and --log exclude each other. Leave one out.'],
    [['serve', '--rate-limit', '100'], 'must be requests/seconds such as 100/60'],
    [['serve', '--rate-limit', '0/60'], 'must be requests/seconds such as 100/60'],
    [
      ['serve', '--upload-transport', 'put'],
      'must be presigned-put, multipart or a size in bytes, got put.',
    ],
    [['serve', '--body-limit', '-1'], 'must be an integer from 0'],
    [
      ['serve', '--app-port', '4010'],
      '--app-port must differ from --port, got 4010 for both. Leave --app-port out to share one port.',
    ],
    [
      ['serve', '--now', '2026-07'],
      'must be a UTC time such as 2026-07-01T00:00:00Z, got 2026-07.',
    ],
    [
      ['serve', '--now', '0001-01-01T00:00:00Z'],
      'must be a time in the years 1970 to 9999, got 0001-01-01T00:00:00Z.',
    ],
    [
      ['serve', '--now', '2026-07-01T00:00:00Z'],
      '--now requires --clock virtual, got --clock real. Add it, or leave --now out.',
    ],
    [['serve', '--clock', 'lunar'], '--clock must be one of real, virtual, got lunar.'],
    [
      ['check', '--base-url', 'ftp://x'],
      'must be a URL such as http://127.0.0.1:4010, got ftp://x.',
    ],
    [
      ['check', '--report', 'pdf=x'],
      'must be kind=FILE, with one of the kinds html, json, junit, markdown, got pdf=x.',
    ],
    [['check'], '--base-url'],
    [['check', '--listen', '8080'], '--listen must be HOST:PORT such as 0.0.0.0:8080, got 8080.'],
    [['check', '--listen', 'localhost:70000'], 'such as 0.0.0.0:8080, got localhost:70000.'],
    [
      ['check', '--base-url', 'http://127.0.0.1:9', '--sender', '--listen', '0.0.0.0:0'],
      '--listen 0.0.0.0 is every address of this machine: add publicUrl',
    ],
    [['check', '--fuzz', '60,x'], 'must be seconds from 1 to 86400, such as 60, or 60,7'],
    [['check', '--update-baseline', 'team-a'], 'must be "OWNER: REASON"'],
    [
      ['check', '--base-url', 'http://127.0.0.1:9', '--only=-api.none'],
      '--only must be the id of a check or the beginning of one, got api.none. Did you mean api.',
    ],
    [
      ['check', '--base-url', 'http://127.0.0.1:9', '--only=api.template.lits'],
      'got api.template.lits. Did you mean api.template?',
    ],
    [
      ['check', '--base-url', 'http://127.0.0.1:9', '--step-command', 'true'],
      '--step-command requires --sender. Add --sender and --allow-writes.',
    ],
    [
      ['check', '--sender', '--ask'],
      '--ask needs a terminal, got a pipe. Use --step-command COMMAND',
    ],
    [['check', '--prove', '--fuzz', '60'], '--prove and --fuzz exclude each other.'],
    [['check', '--prove', '--step-command', 'a'], '--prove and --step-command exclude each other.'],
    [
      ['check', '--receiver', 'http://127.0.0.1:9/'],
      '--receiver requires --secret. Add it, or set WEBHOOK_SECRET.',
    ],
    [
      ['check', '--control-url', 'http://127.0.0.1:9/'],
      '--control-url requires --control-token. Add it, or set HOOKPROOF_CONTROL_TOKEN.',
    ],
    [
      ['check', '--control-token', 'token'],
      '--control-token requires --control-url. Add it, or set HOOKPROOF_CONTROL_URL.',
    ],
    [
      ['check', '--secret', 'whsec_of_mine'],
      '--secret requires --receiver. Add it, or set HOOKPROOF_RECEIVER.',
    ],
    [['check', '--secret-encoding', 'base64'], '--secret-encoding requires --receiver. Add it,'],
    [['check', '--listen', ':0'], '--listen requires --sender. Add it.'],
    [['check', '--retry-window', '90'], '--retry-window requires --sender. Add it.'],
    [['check', '--prove', '--secret', 'whsec_of_mine'], '--secret requires --receiver. Add it,'],
    [
      ['check', '--base-url', 'http://127.0.0.1:9', '--fixtures', 'none.json'],
      '--fixtures none.json',
    ],
  ])('%j names the fix', async (args, message) => {
    const { code, stdout, stderr } = await runInProcess(args);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});

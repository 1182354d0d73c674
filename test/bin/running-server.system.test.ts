import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { emptyFolder } from '../empty-folder.ts';
import { hookproof, serve, serveProcess, stateFile } from './hookproof.ts';

const CHECK = ['check', '--only', 'api.auth-check', '--json'];
const NEITHER = 'check requires --base-url or --receiver.';

describe('the state file of a server', () => {
  test('has its addresses, token and key, is private, and is removed at the end', async () => {
    const file = stateFile();
    const server = await serveProcess([], { env: { HOOKPROOF_STATE_FILE: file } });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      format: 1,
      pid: expect.any(Number),
      baseUrl: server.baseUrl,
      appUrl: server.appUrl,
      controlUrl: server.controlUrl,
      controlToken: server.controlToken,
      key: server.keys.wildcard,
    });
    expect(await server.stop('SIGTERM')).toBe(0);
    expect(existsSync(file)).toBe(false);
  });

  test('is in the folder for state of the user by default', async () => {
    const state = emptyFolder();
    const server = await serve([], { env: { XDG_STATE_HOME: state, HOOKPROOF_STATE_FILE: '' } });
    const folder = join(state, 'hookproof', 'servers');
    expect(readdirSync(folder)).toHaveLength(1);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    await server.stop();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('can be shared: the newest server is found, and after its end the one before it', async () => {
    const env = { HOOKPROOF_STATE_FILE: stateFile() };
    const oldest = await serveProcess([], { env });
    const middle = await serveProcess([], { env });
    const newest = await serveProcess([], { env });
    const found = async (): Promise<string> =>
      Object.values(await hookproof(CHECK, { env })).join();
    expect(await found()).toContain(newest.baseUrl);
    await middle.stop('SIGTERM');
    await newest.stop('SIGKILL');
    expect(await found()).toContain(oldest.baseUrl);
    await oldest.stop('SIGTERM');
    expect(await found()).toContain(NEITHER);
    expect(existsSync(env.HOOKPROOF_STATE_FILE)).toBe(false);
  });

  test('is never another file', async () => {
    const file = join(emptyFolder(), 'package.json');
    writeFileSync(file, '{}');
    const { code, stderr } = await hookproof(['serve', '--port', '0', '--state-file', file]);
    expect(code).toBe(2);
    expect(stderr).toContain(`--state-file must be a new file or that of a server, but ${file}`);
    expect(readFileSync(file, 'utf8')).toBe('{}');
  });
});

test('hookproof fault makes the next requests and webhooks of the running server fail', async () => {
  const env = { HOOKPROOF_STATE_FILE: stateFile() };
  const server = await serve([], { env });
  const ask = async (path: string): Promise<[number, string | null]> => {
    const headers = { authorization: `Bearer ${server.keys.wildcard}` };
    const response = await fetch(server.baseUrl + path, { headers });
    return [response.status, response.headers.get('retry-after')];
  };
  const args = ['fault', '503', '--times', '2', '--retry-after', '7', '--operation', 'listAgents'];
  const { code, stdout } = await hookproof(args, { env });
  expect([code, stdout]).toEqual([
    0,
    `The next 2 listAgents requests of ${server.baseUrl}: 503.\n`,
  ]);
  expect(await ask('/v1/templates')).toEqual([200, null]);
  expect(await ask('/v1/agents')).toEqual([503, '7']);
  expect(await ask('/v1/agents')).toEqual([503, '7']);
  expect(await ask('/v1/agents')).toEqual([200, null]);
  const { stdout: json } = await hookproof(['fault', 'wrong-secret', '--json'], { env });
  expect(JSON.parse(json)).toMatchObject({ name: 'wrong-secret', deliveries: 1, armed: true });
  const { stdout: none } = await hookproof(['fault', 'none'], { env });
  expect(none).toBe(`${server.baseUrl} has no faults.\n`);
  const refused = await hookproof(['fault', '418'], { env });
  const message = 'The server refused the request: effect.status must be one of 400, 401';
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(message)]);
});

test('hookproof check --prove without a target proves the running server', async () => {
  const env = { HOOKPROOF_STATE_FILE: stateFile() };
  await serve([], { env });
  const args = ['check', '--prove', '--only', 'api.auth-check.identity', '--json'];
  const { code, stdout } = await hookproof(args, { env });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ unproven: [] });
});

describe('hookproof check without a target', () => {
  test('checks the running server, with its key and control interface', async () => {
    const env = { HOOKPROOF_STATE_FILE: stateFile() };
    const server = await serve([], { env });
    const { code, stdout, stderr } = await hookproof(CHECK, { env });
    expect(code).toBe(0);
    expect(stderr).toContain(`Using the running server at ${server.baseUrl}, `);
    expect(stdout).toContain(server.baseUrl);
    expect(stdout).not.toContain(server.controlToken);
  });

  test('does not ask for temporary files whose day is over', async () => {
    const env = { HOOKPROOF_STATE_FILE: stateFile() };
    await serve(['--clock', 'virtual'], { env });
    await hookproof(['clock', '+3d'], { env });
    const only = 'api.file,api.file-content';
    expect(await hookproof(['check', '--only', only], { env })).toMatchObject({ code: 0 });
  });

  test('uses a target that is given instead', async () => {
    const env = { HOOKPROOF_STATE_FILE: stateFile() };
    await serve([], { env });
    const given = ['--base-url', 'http://127.0.0.1:1', '--key', 'hpk_of_mine'];
    expect((await hookproof([...CHECK, ...given], { env })).code).toBe(4);
  });

  test('never checks a running server in place of what a step command or a person performs', async () => {
    const env = { HOOKPROOF_STATE_FILE: stateFile() };
    const server = await serve([], { env });
    const sender = [
      'check',
      '--sender',
      '--allow-writes',
      '--only',
      'sender.header.method',
      '--json',
    ];
    const { code, stdout } = await hookproof([...sender, '--step-command', 'false'], { env });
    expect(stdout).not.toContain(server.baseUrl);
    expect(code).toBe(4);
  });

  test.each([
    [NEITHER, '--key', 'hpk_of_mine'],
    ['--public-url requires --sender', '--public-url', 'https://hooks.example.com'],
    ['--secret requires --receiver', '--secret', 'whsec_of_mine'],
    ['--listen requires --sender', '--listen', ':0'],
  ])('ignores a running server and says what is missing: %s', async (missing, ...option) => {
    const env = { HOOKPROOF_STATE_FILE: stateFile() };
    await serve([], { env });
    const { code, stderr } = await hookproof([...CHECK, ...option], { env });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(missing) });
  });

  test('ignores a server that was killed, and removes its file', async () => {
    const env = { HOOKPROOF_STATE_FILE: stateFile() };
    const server = await serveProcess([], { env });
    await server.stop('SIGKILL');
    expect(existsSync(env.HOOKPROOF_STATE_FILE)).toBe(true);
    const { code, stderr } = await hookproof(CHECK, { env });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(NEITHER) });
    expect(existsSync(env.HOOKPROOF_STATE_FILE)).toBe(false);
  });

  test('names a server that does not respond', async () => {
    const env = { HOOKPROOF_STATE_FILE: stateFile() };
    const server = await serveProcess([], { env });
    const { pid } = JSON.parse(readFileSync(env.HOOKPROOF_STATE_FILE, 'utf8'));
    process.kill(pid, 'SIGSTOP');
    const { code, stderr } = await hookproof(CHECK, { env });
    process.kill(pid, 'SIGCONT');
    expect(code).toBe(2);
    expect(stderr).toContain(`the one at ${server.baseUrl} (process ${pid}) does not`);
  });

  test('ignores variables that are empty or name no target', async () => {
    const env = { HOOKPROOF_STATE_FILE: stateFile() };
    const server = await serve([], { env });
    const others = { WEBHOOK_SECRET: 'whsec_of_an_app', HOOKPROOF_CONTROL_TOKEN: 'hpc_of_another' };
    const unused = { ...others, HOOKPROOF_KEY: '', HOOKPROOF_PUBLIC_URL: 'https://me.example' };
    const all = { env: { ...env, ...unused } };
    const { code, stdout } = await hookproof(CHECK, all);
    expect(code).toBe(0);
    expect(stdout).toContain(server.baseUrl);
    const given = ['--base-url', server.baseUrl, '--key', server.keys.wildcard];
    const one = ['check', '--only', 'api.response.auth-check', '--json', ...given];
    expect((await hookproof(one, all)).code).toBe(0);
  });

  test('ignores a file that others can read', async () => {
    const env = { HOOKPROOF_STATE_FILE: stateFile() };
    await serve([], { env });
    chmodSync(env.HOOKPROOF_STATE_FILE, 0o644);
    expect((await hookproof(CHECK, { env })).stderr).toContain(NEITHER);
  });

  test('names all servers if several are running', async () => {
    const env = { XDG_STATE_HOME: emptyFolder(), HOOKPROOF_STATE_FILE: '' };
    const servers = [await serve([], { env }), await serveProcess([], { env })];
    const { code, stderr } = await hookproof(CHECK, { env });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: 2 local platforms are running: /);
    for (const { baseUrl } of servers) expect(stderr).toContain(baseUrl);
  });
});

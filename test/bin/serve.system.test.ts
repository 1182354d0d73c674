import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';

import { emptyFolder } from '../empty-folder.ts';
import { listeningPort } from '../listening-port.ts';
import { controlClient } from '../server-reference/lab/control/control-client.ts';
import { startHosted } from './command-host.ts';
import { hookproof, hookproofProcess, serve, serveProcess, stateFile } from './hookproof.ts';

function authCheck(server: { baseUrl: string; keys: { wildcard: string } }): Promise<Response> {
  const headers = { authorization: `Bearer ${server.keys.wildcard}` };
  return fetch(`${server.baseUrl}/v1/auth/check`, { headers });
}

/** The responses of a server whose virtual clock starts in July, with their request ids. */
async function responsesOfJuly(): Promise<string> {
  const server = await serve(['--clock', 'virtual', '--now', '2026-07-01T00:00:00Z']);
  const control = { authorization: `Bearer ${server.controlToken}` };
  const responses = [
    await fetch(`${server.controlUrl}/clock`, { headers: control }),
    await authCheck(server),
    await fetch(`${server.baseUrl}/v1/dataset-review-requests?limit=0`),
  ];
  const bodies = await Promise.all(responses.map((response) => response.text()));
  const ids = responses.map(({ headers }) => headers.get('x-request-id'));
  return JSON.stringify([bodies, ids], null, 1);
}

describe('hookproof serve', () => {
  test('--json prints one line with URLs, token and keys; SIGTERM ends it with 0', async () => {
    const server = await serveProcess();
    expect(server.ready).toMatchObject({
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      appUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      controlUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/_control$/),
      controlToken: expect.any(String),
      keys: {
        wildcard: expect.any(String),
        reviewer: expect.any(String),
        ocr: expect.any(String),
        otherTenant: expect.any(String),
      },
    });
    expect((await authCheck(server)).status).toBe(200);
    expect(await server.stop('SIGTERM')).toBe(0);
  });

  test('names the address of the document that lists its operations', async () => {
    const command = startHosted({
      args: ['serve', '--port', '0', '--verbose'],
      cwd: emptyFolder(),
      env: { HOOKPROOF_STATE_FILE: stateFile() },
    });
    onTestFinished(async () => {
      command.stop();
      await command.exit;
    });
    let address: string | undefined;
    for await (const line of createInterface(command.stdout)) {
      address = /^ +operations +(\S+)$/.exec(line)?.[1];
      if (address !== undefined) break;
    }
    const response = await fetch(address ?? '');
    expect(await response.json()).toMatchObject({
      servers: [{ url: new URL(address ?? '').origin }],
      paths: { '/v1/auth/check': { get: { operationId: 'checkAuth' } } },
    });
  });

  test.skipIf(process.platform !== 'linux')(
    '--open opens the dashboard, with the token in the fragment',
    async () => {
      const cwd = emptyFolder();
      const opened = join(cwd, 'opened');
      writeFileSync(join(cwd, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > ${opened}\n`, {
        mode: 0o755,
      });
      const PATH = `${cwd}:${process.env['PATH'] ?? ''}`;
      const server = await serve(['--open'], { cwd, env: { PATH } });
      const read = () => (existsSync(opened) ? readFileSync(opened, 'utf8') : '');
      await expect.poll(read).toBe(`${server.baseUrl}/_dashboard/#${server.controlToken}`);
      expect(server.ready['dashboardUrl']).toBe(read());
    },
  );

  test('SIGINT ends it with 0', async () => {
    const server = await serveProcess();
    expect(await server.stop('SIGINT')).toBe(0);
  });

  test('--data keeps keys and world across a restart after SIGKILL', async () => {
    const data = join(emptyFolder(), 'platform');
    const first = await serveProcess(['--data', data]);
    expect(await first.stop('SIGKILL')).toBe('SIGKILL');
    const second = await serve(['--data', data]);
    expect({ ...second.keys }).toEqual({ ...first.keys });
    expect(second.controlToken).toBe(first.controlToken);
    expect((await authCheck(second)).status).toBe(200);
  });

  test('refuses a folder that another process serves, and names the folder', async () => {
    const data = join(emptyFolder(), 'platform');
    await serve(['--data', data]);
    const { code, stderr } = await hookproofProcess(['serve', '--port', '0', '--data', data]);
    expect(code).toBe(2);
    expect(stderr).toContain(data);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test('names the process and the address of the server that uses the folder', async () => {
    const env = { XDG_STATE_HOME: emptyFolder(), HOOKPROOF_STATE_FILE: '' };
    const data = join(emptyFolder(), 'platform');
    const first = await serveProcess(['--data', data], { env });
    const again = ['serve', '--port', '0', '--data', data];
    const { code, stderr } = await hookproofProcess(again, { env });
    expect(code).toBe(2);
    expect(stderr.replace(/process \d+/, 'process n')).toBe(
      `error: The data folder ${data} is in use by another hookproof serve (process n, ${first.baseUrl}). Stop that server, or use another folder.\n`,
    );
  });

  test('names the fix if the port is taken', async () => {
    const port = String(await listeningPort(createServer()));
    const { code, stderr } = await hookproof(['serve', '--port', port]);
    expect(code).toBe(2);
    expect(stderr).toContain(`Port ${port} is taken`);
    expect(stderr).toContain('--port 0');
  });

  test('says that another serve of this user has the port, with its process', async () => {
    const env = { XDG_STATE_HOME: emptyFolder(), HOOKPROOF_STATE_FILE: '' };
    const first = await serveProcess([], { env });
    const { port } = new URL(first.baseUrl);
    const { code, stderr } = await hookproofProcess(['serve', '--port', port], { env });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      new RegExp(`Port ${port} is taken by another hookproof serve \\(process \\d+\\)`),
    );
  });

  test('asks the port whether it is a serve whose state is elsewhere', async () => {
    const first = await serve([], { env: { XDG_STATE_HOME: emptyFolder() } });
    const { port } = new URL(first.baseUrl);
    for (const command of ['serve', 'listen']) {
      const { code, stderr } = await hookproof([command, '--port', port]);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining(`Port ${port} is taken by another hookproof serve, which`),
      });
    }
  });

  test('names the fix if the app port is taken', async () => {
    const port = String(await listeningPort(createServer()));
    const { code, stderr } = await hookproof(['serve', '--port', '0', '--app-port', port]);
    expect(code).toBe(2);
    expect(stderr).toContain(`Port ${port} is taken`);
    expect(stderr).toContain('--app-port 0');
  });

  test('--world serves the data of a file, and names what is wrong in it', async () => {
    const file = join(emptyFolder(), 'world.json');
    writeFileSync(file, '\uFEFF{ "templates": 3 }');
    const server = await serve(['--world', file]);
    const headers = { authorization: `Bearer ${server.keys.wildcard}` };
    const templates = await fetch(`${server.baseUrl}/v1/templates`, { headers });
    expect(Reflect.get(Object(await templates.json()), 'items')).toHaveLength(3);
    writeFileSync(file, '{ "runs": [{ "status": "done" }] }');
    const { code, stderr } = await hookproof(['serve', '--port', '0', '--world', file]);
    expect(stderr).toMatch(
      `error: --world ${file}: runs[0].status must be one of created, pending, running`,
    );
    expect(code).toBe(2);
  });

  test('--app-port serves the API on a second port', async () => {
    const server = await serve(['--app-port', '0']);
    expect(server.appUrl).not.toBe(server.baseUrl);
    const headers = { authorization: `Bearer ${server.keys.wildcard}` };
    for (const url of [server.appUrl, server.baseUrl]) {
      expect((await fetch(`${url}/api/v1/agents`, { headers })).status).toBe(200);
    }
    expect((await fetch(`${server.appUrl}/_control/clock`, { headers })).status).toBe(404);
  });

  test('--allow-host serves another Host header', async () => {
    const server = await serve(['--allow-host', 'platform.test,10.0.0.7']);
    const status = async (host: string): Promise<number> => {
      const { statusCode } = await request(`${server.baseUrl}/v1/auth/check`, {
        headers: { host },
      });
      return statusCode;
    };
    expect(await status('platform.test:80')).toBe(401);
    expect(await status('10.0.0.7')).toBe(401);
    expect(await status('evil.example')).toBe(421);
  });

  test('a new folder gets keys that no other folder has, and keeps them', async () => {
    const [path, other] = [emptyFolder(), emptyFolder()];
    const first = await serveProcess(['--data', path]);
    const { keys } = first;
    expect(await first.stop('SIGHUP')).toBe(0);
    expect((await serve(['--data', path])).keys).toEqual(keys);
    const elsewhere = await serve(['--data', other]);
    expect(elsewhere.keys.wildcard).not.toBe(keys.wildcard);
    const chosen = await serve(['--data', emptyFolder(), '--seed', '1']);
    expect(chosen.keys).toEqual((await serve()).keys);
  });

  test('has the limits that it is given', async () => {
    const server = await serve(['--rate-limit', '2/60', '--body-limit', '2']);
    const limits = await controlClient(server).expectOk(200, '/limits');
    expect(limits).toMatchObject({ rateLimit: { requests: 2, windowSeconds: 60 } });
    const tooLarge = await fetch(`${server.baseUrl}/v1/automations/wf_1`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${server.keys.wildcard}`,
        'content-type': 'application/json',
      },
      body: '{} ',
    });
    expect(tooLarge.status).toBe(413);
    expect((await authCheck(server)).status).toBe(200);
    expect((await authCheck(server)).status).toBe(429);
  });

  test('--upload-transport chooses how uploads are sent', async () => {
    const server = await serve(['--upload-transport', '10']);
    const transport = async (size: number): Promise<unknown> => {
      const response = await fetch(`${server.baseUrl}/v1/files/uploads`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${server.keys.wildcard}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ filename: 'a', contentType: 'text/plain', size }),
      });
      return Reflect.get(Object(await response.json()), 'transport');
    };
    expect([await transport(10), await transport(11)]).toEqual(['multipart', 'presigned-put']);
  });

  test('--clock virtual serves a virtual clock', async () => {
    const server = await serve(['--clock', 'virtual']);
    const clock = await controlClient(server).expectOk(200, '/clock');
    expect(clock).toMatchObject({ mode: 'virtual' });
  });

  test('--now sets the start of a virtual clock, so that two servers send the same bytes', async () => {
    const first = await responsesOfJuly();
    expect(first).toContain('2026-07-01T00:00:00.000Z');
    expect(await responsesOfJuly()).toBe(first);
  });
});

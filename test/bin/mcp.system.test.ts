import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished, test } from 'vitest';

import { emptyFolder } from '../empty-folder.ts';
import { PROGRAM, serve, stateFile } from './hookproof.ts';
import { plainApp, SECRET } from './trigger/apps.ts';

/** A coding agent: the client of the library, with a `hookproof mcp` of its own. */
async function agent(env: Record<string, string>) {
  const client = new Client({ name: 'agent', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp'],
    cwd: emptyFolder(),
    env: { PATH: process.env['PATH'] ?? '', XDG_STATE_HOME: emptyFolder(), ...env },
    stderr: 'ignore',
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = async (name: string, args: object = {}, options: object = {}) => {
    const params = { name, arguments: { ...args } };
    const result = (await client.callTool(params, undefined, options)) as CallToolResult;
    const [content] = result.content;
    return { text: content?.type === 'text' ? content.text : '', isError: result.isError === true };
  };
  return {
    client,
    call,
    read: async (name: string, args: object = {}) => JSON.parse((await call(name, args)).text),
  };
}

test('an agent sends, reads, explains and repeats deliveries of the running server', async () => {
  const env = { HOOKPROOF_STATE_FILE: stateFile() };
  const app = await plainApp();
  await serve(['--forward-to', app.url, '--secret', SECRET], { env });
  const { read, call } = await agent(env);

  const sent = await read('trigger');
  expect(sent).toMatchObject({ scenario: 'completed', isExpected: true, deliveries: 4 });
  expect(sent.attempts[0]).toMatchObject({ status: 204, url: app.url });
  expect(app.accepted.at(-1)?.toString()).toContain('"status":"completed"');

  const refused = await read('trigger', { scenario: 'wrong-secret' });
  expect(refused).toMatchObject({ isExpected: true, deliveries: 1 });
  const { data } = await read('list_deliveries', { status: 'ended' });
  expect(data).toMatchObject([{ status: 'ended', lastAttempt: { status: 401 } }]);
  const delivery = data[0].id;

  const whole = await read('read_delivery', { delivery });
  expect(whole).toMatchObject({ id: delivery, attempts: [{ number: 1, status: 401 }] });
  const { sent: request } = await read('read_delivery', { delivery, attempt: 1 });
  expect(request).toMatchObject({ url: app.url, body: expect.stringContaining('run.') });
  expect(await read('explain_delivery', { delivery })).toMatchObject({
    valid: false,
    cause: 'delivery_fault',
    fix: expect.any(String),
  });

  expect(await read('redeliver', { delivery: 'ended' })).toMatchObject({ accepted: 1, refused: 0 });
  expect((await read('list_deliveries', { status: 'ended' })).data).toEqual([]);

  expect(await call('redeliver', { delivery: 'dlv_none' })).toEqual({
    isError: true,
    text: expect.stringMatching(/^The delivery must be one of the server at .*, got dlv_none: /),
  });
  expect(await call('advance_clock', { by: '1h' })).toEqual({
    isError: true,
    text: expect.stringMatching(/must be virtual .* got a real clock\. Start the server with/),
  });
});

test('an agent advances a virtual clock to the next retry', async () => {
  const env = { HOOKPROOF_STATE_FILE: stateFile() };
  await serve(['--clock', 'virtual', '--forward-to', 'http://127.0.0.1:1/'], { env });
  const { read } = await agent(env);
  const { attempts, retries } = await read('trigger');
  expect(attempts[0]).toMatchObject({ number: 1, error: 'ECONNREFUSED' });
  expect(retries).toBe('with-the-clock');
  const { now, nextDueAt } = await read('advance_clock');
  expect(Date.parse(nextDueAt)).toBeGreaterThan(Date.parse(now));
  expect((await read('advance_clock', { by: 'next' })).now).toBe(nextDueAt);
});

test('an agent runs checks with progress, and reads one of them whole', async () => {
  const env = { HOOKPROOF_STATE_FILE: stateFile() };
  await serve([], { env });
  const { call, read } = await agent(env);
  const seen: number[] = [];
  const onprogress = ({ progress }: { progress: number }) => seen.push(progress);

  const only = ['api.auth-check', 'api.review-update.title', 'api.input-delete.deletes'];
  const { text, isError } = await call('run_checks', { only }, { onprogress });
  expect({ isError, text }).toEqual({
    isError: false,
    text: expect.stringMatching(
      /^conformant, read-only: \d+ checks? needs? allowWrites; \d+ checks? needs? hookproof check --allow-deletes/m,
    ),
  });
  expect(seen.length).toBeGreaterThan(1);

  const report = await read('read_report');
  const [{ id }] = report.checks;
  expect(await read('read_report', { check: id })).toMatchObject({ id, verdict: 'pass' });
  expect(await call('read_report', { check: 'api.none' })).toMatchObject({ isError: true });

  expect(await call('run_checks', { only: ['api.autch'] })).toEqual({
    isError: true,
    text: expect.stringMatching(/^only must be .* got api\.autch\. Did you mean /),
  });
  expect(await call('run_checks', { receiver: 'http://127.0.0.1:1/' })).toEqual({
    isError: true,
    text: 'receiver requires secret. Add it, or set WEBHOOK_SECRET.',
  });
});

test('an agent checks a receiver with its secret', async () => {
  const app = await plainApp();
  const { call } = await agent({ HOOKPROOF_STATE_FILE: stateFile(), WEBHOOK_SECRET: SECRET });
  const only = ['receiver.test-event'];
  const { text } = await call('run_checks', { receiver: app.url, only });
  expect(text).toContain('receiver');
  expect(text).toMatch(/^conformant/m);
});

test('an agent may not write to a deployment', async () => {
  const env = { HOOKPROOF_STATE_FILE: stateFile(), HOOKPROOF_BASE_URL: 'https://api.example.com' };
  const { call } = await agent(env);
  expect(await call('run_checks', { allowWrites: true })).toEqual({
    isError: true,
    text: 'allowWrites must be left out for a deployment, got https://api.example.com. A person can run hookproof check --allow-writes.',
  });
});

test('without a running server, each tool says so in one sentence', async () => {
  const { call, client } = await agent({ HOOKPROOF_STATE_FILE: stateFile() });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).toSorted()).toEqual([
    'advance_clock',
    'explain_delivery',
    'list_deliveries',
    'read_delivery',
    'read_report',
    'redeliver',
    'run_checks',
    'trigger',
  ]);
  const needs = tools.filter(({ name }) => name !== 'read_report');
  const delivery = 'dlv_1';
  const texts = await Promise.all(
    needs.map(async ({ name, inputSchema: { required = [] } }) => {
      return (await call(name, required.includes('delivery') ? { delivery } : {})).text;
    }),
  );
  for (const text of texts) expect(text).toMatch(/^No local platform is running\. Start /);
});

test('an argument that a tool does not have is refused, and named', async () => {
  const { call, client } = await agent({ HOOKPROOF_STATE_FILE: stateFile() });
  const { tools } = await client.listTools();
  for (const { name, inputSchema } of tools) {
    expect(inputSchema, name).toMatchObject({ additionalProperties: false });
    expect(await call(name, { delivery: 'dlv_1', wrong: 1 }), name).toEqual({
      isError: true,
      text: expect.stringMatching(/Unrecognized keys?: .*"wrong"/),
    });
  }
});

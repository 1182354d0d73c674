import { describe, expect, test } from 'vitest';

import { listenAt } from '../server-reference/events/endpoint-listener.ts';
import { controlClient } from '../server-reference/lab/control/control-client.ts';
import { serve, serveInText } from './hookproof.ts';
import type { Serving, ServingInText } from './hookproof.ts';

/** An app that responds to every delivery with a status and a body. */
async function app(status: number, body: string): Promise<string> {
  const { url } = await listenAt((response) => response.writeHead(status).end(body));
  return `${url}?token=hidden`;
}

/** Waits for a line that contains all of the words, and returns it. */
async function lineWith(
  server: Serving | ServingInText,
  ...words: readonly string[]
): Promise<string> {
  const find = () => server.lines.find((line) => words.every((word) => line.includes(word)));
  await expect.poll(find).toBeDefined();
  return find() ?? expect.unreachable();
}

describe('hookproof serve --log', () => {
  test('shows a line for a request and for an attempt, with the body of a refusal', async () => {
    const server = await serveInText(['--log']);
    const url = await app(400, 'no\u001B[31m such \u202Erun\nwhsec_echoed hpk_echoed');
    await controlClient(server).endpoint(url);
    const run = await controlClient(server).run();
    const attempt = await lineWith(server, '→', run.id);
    expect(attempt).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} {2}→ run\.created pending {2}exec_\w+ {2}http:\/\/127\.0\.0\.1:\d+\/hook\?… {2}400 {2}\d+ ms {2}no\\u001b\[31m such \\u202erun whsec_… hpk_… {2}not retried$/,
    );
    await fetch(`${server.baseUrl}/v1/agents?search=hidden`);
    expect(await lineWith(server, '/v1/agents')).toMatch(
      /^\S+ {2}GET {2}\/v1\/agents {2}401 {2}[\d.]+ ms {2}unauthorized \(key\)$/,
    );
    // Another endpoint: the first one has just failed in the same way.
    await controlClient(server).endpoint(await app(202, ''));
    const payload = JSON.stringify({ id: 'whev_1', type: 'run\u202E\u001B[8m', data: {} });
    await controlClient(server).expectOk(202, '/events', { payload });
    expect(await lineWith(server, String.raw`→ run\u202e\u001b[8m`)).toContain('test event');
    const shown = server.lines.join('\n');
    expect(shown).not.toContain('hidden');
    expect(shown).not.toContain('\u001B');
    expect(shown).not.toContain('\u202E');
  });

  test('explains a 401 without the secret, and says when the next attempt is', async () => {
    const server = await serveInText(['--log']);
    const url = await app(401, '{"code":"signature_mismatch"}');
    await controlClient(server).endpoint(url);
    await controlClient(server).endpoint('http://127.0.0.1:1/');
    await controlClient(server).run();
    const evidence = await lineWith(server, 'The request was correct: its signature matches');
    expect(evidence).toContain(`secret of the endpoint ${new URL(url).origin}/hook (whsec_…`);
    expect(evidence).toContain('The app responded 401');
    expect(evidence).toContain('(signature_mismatch)');
    const fix = await lineWith(server, 'Fix: Set the secret of the app');
    expect(fix).toMatch(/^ {14}Fix: .* that of this endpoint/);
    expect(await lineWith(server, 'ECONNREFUSED')).toMatch(/retry in [\d.]+ s$/);
    expect(server.lines.join('\n')).not.toMatch(/whsec_[0-9a-f]/);
  });

  test('counts a burst of the same failure, and shows its fix once', async () => {
    const server = await serveInText(['--log']);
    const url = await app(401, '{"code":"signature_mismatch"}');
    await controlClient(server).endpoint(url);
    for (let runs = 0; runs < 4; runs += 1) await controlClient(server).run();
    const ended = () => controlClient(server).deliveries('?status=ended');
    await expect.poll(ended).toHaveLength(4);
    await server.stop();
    expect(server.lines.filter((line) => line.includes('401  '))).toHaveLength(1);
    expect(server.lines.filter((line) => line.includes('Fix:'))).toHaveLength(1);
    expect(server.lines.at(-1)).toMatch(/→ 3 more with 401 signature_mismatch {2}from http:/);
  });

  test('with --json shows the rows of the stream', async () => {
    const server = await serve(['--log', '--json']);
    await controlClient(server).endpoint(await app(204, ''));
    const run = await controlClient(server).run();
    const row: unknown = JSON.parse(await lineWith(server, '"event":"attempt"'));
    expect(row).toMatchObject({ event: 'attempt', runId: run.id, status: 204, number: 1 });
    await fetch(`${server.baseUrl}/v1/agents`);
    const request: unknown = JSON.parse(await lineWith(server, '"event":"request"'));
    expect(request).toMatchObject({ path: '/v1/agents', status: 401, refusedAt: 'key' });
  });

  test('is off in a pipe', async () => {
    const server = await serve();
    await fetch(`${server.baseUrl}/v1/agents`);
    await server.stop();
    expect(server.lines).toEqual([]);
  });
});

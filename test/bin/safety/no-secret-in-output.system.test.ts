import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { listeningPort } from '../../listening-port.ts';
import { hookproof, serve } from '../hookproof.ts';

type Handle = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

async function listen(handle: Handle): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch((error: Error) => outgoing.destroy(error));
  });
  return `http://127.0.0.1:${await listeningPort(server)}`;
}

/** Everything that a request has, as a chatty server shows it. */
function echoOf({ url, rawHeaders }: IncomingMessage, body: Buffer): object {
  const authorization = rawHeaders[rawHeaders.indexOf('authorization') + 1] ?? '';
  return {
    url,
    rawHeaders,
    body: body.toString(),
    lower: authorization.toLowerCase(),
    upper: authorization.toUpperCase(),
    halves: [authorization.slice(0, authorization.length / 2), authorization.slice(-12)],
  };
}

/** A platform that takes more than its keys for keys, and echoes what it gets. */
function laxPlatform(platform: string, keyOf: (given: string) => string): Promise<string> {
  return listen(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    const { method, headers, url = '/' } = incoming;
    const [scheme = '', given = ''] = (headers.authorization ?? '').split(' ');
    const authorization = `${scheme} ${keyOf(given)}`;
    const sent = request(new URL(url, platform), {
      method,
      headers: { ...headers, authorization },
    });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const bytes = await buffer(response);
    const { 'content-length': _length, ...others } = response.headers;
    const isJson = others['content-type']?.startsWith('application/json') === true;
    const echo = echoOf(incoming, body);
    outgoing.writeHead(response.statusCode ?? 0, { ...others, 'x-echo': JSON.stringify(echo) });
    outgoing.end(isJson ? JSON.stringify({ ...JSON.parse(bytes.toString()), echo }) : bytes);
  });
}

/** A receiver that answers everything with this status, and echoes it. */
function echoingReceiver(status: number): Promise<string> {
  return listen(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    outgoing.writeHead(status, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify({ code: 'nothing', ...echoOf(incoming, body) }));
  });
}

const KINDS = ['html', 'json', 'junit', 'markdown'];

/** Everything that a run writes: to the screen, to files, and to a job of GitHub Actions. */
async function outputOf(args: readonly string[], env: Record<string, string>): Promise<string> {
  const cwd = emptyFolder();
  const reports = KINDS.flatMap((kind) => ['--report', `${kind}=report.${kind}`]);
  const summary = join(cwd, 'summary.md');
  writeFileSync(summary, '');
  const place = { cwd, env: { ...env, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary } };
  const { stdout, stderr } = await hookproof(['check', ...args, '--verbose', ...reports], place);
  const files = readdirSync(cwd).map((file) => readFileSync(join(cwd, file), 'utf8'));
  const json = await hookproof(['check', ...args, '--json'], { cwd, env });
  return [stdout, stderr, ...files, json.stdout, json.stderr].join('\n');
}

/** The pieces of eight characters of a secret that an output shows, in any case. */
function shownOf(secret: string, output: string): readonly string[] {
  const part = secret.replace(/^[a-z]+_/, '').toLowerCase();
  const searched = output.toLowerCase();
  const pieces = Array.from({ length: part.length - 7 }, (_, at) => part.slice(at, at + 8));
  return pieces.filter((piece) => searched.includes(piece));
}

function expectHidden(secrets: readonly string[], output: string): void {
  expect(Object.fromEntries(secrets.map((secret) => [secret, shownOf(secret, output)]))).toEqual(
    Object.fromEntries(secrets.map((secret) => [secret, []])),
  );
}

const ACCESS = ['api.key-required', 'api.auth'];

test.each([
  ['half of a key', (key: string, given: string) => given.slice(0, key.length / 2)],
  ['any key', () => ''],
])(
  'no piece of a key or token is in any output about a platform that is content with %s',
  async (_, compared) => {
    const server = await serve();
    const { wildcard, reviewer, ocr, workflow, otherTenant } = server.keys;
    const keys = [wildcard, reviewer, ocr, workflow, otherTenant];
    const url = await laxPlatform(
      server.baseUrl,
      (given) => keys.find((key) => key.startsWith(compared(key, given))) ?? given,
    );
    const fixtures = join(emptyFolder(), 'fixtures.json');
    writeFileSync(fixtures, JSON.stringify({ keys: { reviewer, ocr, workflow, otherTenant } }));
    const output = await outputOf(
      ['--base-url', url, '--app-url', url, '--allow-writes', '--only', ACCESS.join(',')].concat([
        '--fixtures',
        fixtures,
        '--control-url',
        server.controlUrl,
      ]),
      { HOOKPROOF_KEY: wildcard, HOOKPROOF_CONTROL_TOKEN: server.controlToken },
    );
    expect(output).toContain('Bearer $HOOKPROOF_NEAR_KEY');
    expectHidden([...keys, server.controlToken], output);
  },
);

test('no text of a step command is in any output', async () => {
  const server = await serve();
  const { wildcard } = server.keys;
  const canary = 'canary0123456789xyz';
  const command = `set -x; curl-${canary} --header 'x-token: ${canary}' "$HOOKPROOF_STEP"`;
  const output = await outputOf(
    [
      '--base-url',
      server.baseUrl,
      '--sender',
      '--allow-writes',
      '--step-command',
      command,
      '--only',
      'sender',
    ],
    { HOOKPROOF_KEY: wildcard },
  );
  expect(output).toContain('[part of the command]');
  expectHidden([wildcard, canary], output);
});

test.each([200, 400])(
  'no piece of a secret or a query is in any output about a receiver that answers %d',
  async (status) => {
    const url = await echoingReceiver(status);
    const secret = 'whsec_canary4567890123456789';
    const [code, token] = ['Query0Canary1Token2', 'Observer3Canary4Token5'];
    const output = await outputOf(
      ['--receiver', `${url}/hooks?code=${code}`, '--observer', `${url}/handled?token=${token}`],
      { WEBHOOK_SECRET: secret },
    );
    expect(output).toContain('HOOKPROOF_RECEIVER');
    expectHidden([secret, code, token], output);
  },
);

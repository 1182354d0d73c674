import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

import { runStatusChangedEvent, sign, signEvent } from '@hookproof/receiver/testing';
import { describe, expect, onTestFinished, test } from 'vitest';

import { curlLine } from '../../bin/dist/commands/listen/curl-line.js';
import { emptyFolder } from '../empty-folder.ts';
import { freePort } from '../free-port.ts';
import { hookproof, PROGRAM } from './hookproof.ts';
import { app, deliver, event, listen, SECRET } from './listening.ts';

const other = runStatusChangedEvent({ id: 'whev_other' });

/** Signs as a sender does that uses another key. */
function signedBy(key: string, sent = event): { headers: Record<string, string>; body: Buffer } {
  const body = Buffer.from(JSON.stringify(sent));
  const timestamp = String(Math.floor(Date.now() / 1000));
  const digest = createHmac('sha256', key).update(`${sent.id}.${timestamp}.`).update(body);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': sent.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${digest.digest('hex')}`,
  };
  return { headers, body };
}

/** The header lines of a signed delivery with these bytes. */
function headerLines(bytes: string | Buffer): string {
  const timestamp = Math.floor(Date.now() / 1000);
  const signed = sign({ secret: SECRET, id: event.id, timestamp, body: bytes });
  return Object.entries(signed)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

/** Sends bytes over a socket, and returns what comes back. */
async function raw(url: string, bytes: string | Buffer): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}

describe('hookproof listen', () => {
  test('passes the bytes and headers to the app, and the response to the platform', async () => {
    const target = await app((response) =>
      response
        .writeHead(
          201,
          [
            ['Set-Cookie', 'a=1'],
            ['set-cookie', 'b=2'],
            ['X-App', 'yes'],
          ].flat(),
        )
        .end('created'),
    );
    const { url, row, ready } = await listen(['--forward-to', target.url, '--secret', SECRET]);
    expect(ready).toMatchObject({ verifies: true, app: 'reachable', forwardTo: target.url });
    const signed = signEvent(event, { secret: SECRET });
    const headers = { ...signed.headers, 'X-Custom': 'Käse', 'x-custom-2': '' };
    const response = await deliver(url, { ...signed, headers });
    expect(response.status).toBe(201);
    expect(await response.text()).toBe('created');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    const [arrival = expect.unreachable()] = target.arrivals;
    expect(arrival.body.equals(Buffer.from(signed.body))).toBe(true);
    expect(arrival.request.url).toBe('/hook?a=1');
    expect(arrival.request.headers).toMatchObject({
      ...signed.headers,
      'x-custom': 'Käse',
      'x-custom-2': '',
      host: new URL(target.url).host,
    });
    expect(await row({ event: 'delivery' })).toMatchObject({
      number: 1,
      id: event.id,
      attempt: 1,
      type: 'run.status_changed',
      runStatus: event.data.run.status,
      runId: event.data.run.id,
      signature: { verdict: 'valid', secret: 1, cause: null },
    });
    expect(await row({ event: 'response' })).toMatchObject({
      number: 1,
      id: event.id,
      status: 201,
      from: 'app',
      error: null,
    });
  });

  test('accepts each of two secrets, and counts the attempts of an event', async () => {
    const { url, row } = await listen(['--secret', 'whsec_new', '--secret', SECRET]);
    expect((await deliver(url)).status).toBe(204);
    expect(await row({ attempt: 1 })).toMatchObject({ signature: { verdict: 'valid', secret: 2 } });
    const signed = signEvent(event, { secret: 'whsec_new' });
    expect((await deliver(url, signed)).status).toBe(204);
    expect(await row({ attempt: 2 })).toMatchObject({ signature: { secret: 1 }, number: 2 });
  });

  test('without an app responds by the signature, and says what is wrong', async () => {
    const { url, row, stop } = await listen([], { WEBHOOK_SECRET: SECRET });
    expect((await deliver(url)).status).toBe(204);
    expect((await deliver(url, signedBy(`${SECRET}\n`))).status).toBe(401);
    expect(await row({ number: 2, event: 'delivery' })).toMatchObject({
      signature: { verdict: 'signature_mismatch', cause: 'secret_with_newline' },
    });
    const old = signEvent(event, { secret: SECRET, now: () => Date.now() - 400_000 });
    expect((await deliver(url, old)).status).toBe(425);
    expect(await row({ number: 3, event: 'delivery' })).toMatchObject({
      signature: { verdict: 'timestamp_too_old', cause: 'clock_off' },
    });
    const { code, stderr } = await stop('SIGINT');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('without a secret shows deliveries as not verified, and responds with the status of --respond', async () => {
    const { url, row, ready } = await listen(['--respond', '503']);
    expect(ready).toMatchObject({ verifies: false, app: null });
    expect((await deliver(url)).status).toBe(503);
    expect(await row({ event: 'delivery' })).toMatchObject({
      signature: { verdict: 'unverified' },
    });
    expect(await row({ event: 'response' })).toMatchObject({ status: 503, from: 'listen' });
  });

  test('responds 502 while the app is down, and notices when it is up', async () => {
    const port = await freePort();
    const { url, row, ready } = await listen(['--forward-to', `http://127.0.0.1:${port}/`]);
    expect(ready).toMatchObject({ app: 'unreachable' });
    const response = await deliver(url);
    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({ code: 'app_unreachable', error: 'ECONNREFUSED' });
    expect(await row({ event: 'response' })).toMatchObject({ status: null, error: 'ECONNREFUSED' });
    const { arrivals } = await app((started) => started.end(), port);
    await row({ event: 'app', app: 'reachable' });
    expect((await deliver(url)).status).toBe(200);
    expect(arrivals).toHaveLength(1);
  });

  test('shows the body of a refusal, and passes it on', async () => {
    const refusal = `no\u001B[31m ${SECRET}\n${'x'.repeat(500)}`;
    const target = await app((response) => response.writeHead(401).end(refusal));
    const { url, row, rows } = await listen(['--forward-to', target.url, '--secret', SECRET]);
    expect(await (await deliver(url)).text()).toBe(refusal);
    const { body } = await row({ event: 'response' });
    expect(body).toMatch(/^no\\u001b\[31m whsec_… x{100,}…$/);
    expect(JSON.stringify(rows)).not.toContain(SECRET);
  });

  test('redelivers a delivery by its number or its event id, with the same bytes', async () => {
    const target = await app();
    const { url, row, rows, write } = await listen(['--forward-to', target.url]);
    await deliver(url);
    await deliver(url, signEvent(other, { secret: SECRET }));
    write('r 1');
    await row({ redelivery: true, number: 1 });
    write(`r ${event.id}`);
    write('r');
    await row({ redelivery: true, number: 2 });
    await expect.poll(() => rows.filter((one) => one['redelivery'] === true).length).toBe(3);
    const sent = target.arrivals.map(({ body }) => body.toString());
    expect(sent.filter((body) => body === sent[0])).toHaveLength(3);
    write('r 7');
    await row({ event: 'note', text: 'No kept delivery is 7.' });
    write('d 1');
    expect(
      await row({ event: 'note', text: `delivery 1, ${sent[0]?.length} bytes` }),
    ).toBeDefined();
  });

  test('saves each delivery for explain, readable only by the user, and continues its numbers', async () => {
    const save = join(emptyFolder(), 'deliveries');
    const first = await listen(['--save', save]);
    await deliver(first.url);
    await first.row({ event: 'response' });
    await first.stop();
    const second = await listen(['--save', save]);
    await deliver(second.url, signedBy(`${SECRET} `, other));
    await second.row({ event: 'response' });
    await second.stop();
    const folders = readdirSync(save).toSorted();
    expect(folders).toEqual([`0001-${event.id}`, `0002-${other.id}`]);
    const [one = '', two = ''] = folders.map((name) => join(save, name));
    expect(readFileSync(join(one, 'body')).equals(Buffer.from(JSON.stringify(event)))).toBe(true);
    const meta = JSON.parse(readFileSync(join(one, 'meta.json'), 'utf8'));
    expect(meta).toMatchObject({ id: event.id, attempt: 1, response: { status: 204 } });
    expect(statSync(join(one, 'body')).mode & 0o777).toBe(0o600);
    expect(statSync(one).mode & 0o777).toBe(0o700);
    expect(await hookproof(['explain', one, '--secret', SECRET])).toMatchObject({ code: 0 });
    const { code, stdout } = await hookproof(['explain', two, '--secret', SECRET]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^secret_with_space: /);
  });
});

describe('hookproof listen and its clients', () => {
  const body = JSON.stringify(event);

  test('takes chunked bodies, HTTP/1.0, several requests of one connection, and compressed bytes unchanged', async () => {
    const target = await app();
    const { url, rows } = await listen(['--forward-to', target.url, '--secret', SECRET]);
    const chunks = [body.slice(0, 7), body.slice(7)]
      .map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`)
      .join('');
    const host = 'Host: x\r\n';
    const chunked = `POST / HTTP/1.1\r\n${host}Connection: close\r\nTransfer-Encoding: chunked\r\n${headerLines(body)}\r\n${chunks}0\r\n\r\n`;
    expect(await raw(url, chunked)).toMatch(/^HTTP\/1\.1 200 /);
    const old = `POST / HTTP/1.0\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${headerLines(body)}\r\n${body}`;
    expect(await raw(url, old)).toMatch(/^HTTP\/1\.\d 200 /);
    const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
    const kept = `POST / HTTP/1.1\r\n${host}${length}${headerLines(body)}\r\n${body}`;
    const last = kept.replace(host, `${host}Connection: close\r\n`);
    expect((await raw(url, kept + last)).match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
    const zipped = gzipSync(body);
    const head = `POST / HTTP/1.1\r\n${host}Connection: close\r\nContent-Encoding: gzip\r\nContent-Length: ${zipped.length}\r\n${headerLines(zipped)}\r\n`;
    expect(await raw(url, Buffer.concat([Buffer.from(head), zipped]))).toMatch(/ 200 /);
    expect(target.arrivals).toHaveLength(5);
    expect(target.arrivals[4]?.body.equals(zipped)).toBe(true);
    for (const { request } of target.arrivals) {
      expect(request.headers).not.toHaveProperty('transfer-encoding');
      expect(request.headers['content-length']).toBeDefined();
    }
    const verdicts = rows
      .filter((row) => row['event'] === 'delivery')
      .map((row) => row['signature']);
    expect(verdicts).toEqual(
      Array.from({ length: 5 }, () => expect.objectContaining({ verdict: 'valid' })),
    );
  });

  test('survives a client that hangs up, one that sends too much, and one that only looks', async () => {
    const target = await app();
    const { url, row } = await listen(['--forward-to', target.url]);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nbegin', () =>
      socket.destroy(),
    );
    await row({ event: 'ignored', problem: 'a request ended before its body was complete' });
    const large = await fetch(url, { method: 'POST', body: Buffer.alloc(9 * 1_048_576) }).catch(
      () => null,
    );
    expect(large?.status ?? 413).toBe(413);
    await row({ event: 'ignored', problem: 'a body of more than 8388608 bytes got 413' });
    expect((await fetch(url)).status).toBe(405);
    expect(target.arrivals).toHaveLength(0);
    expect((await deliver(url)).status).toBe(200);
  });
});

test('a saved delivery that is valid, and that the app refused, is explained by the app', async () => {
  const save = emptyFolder();
  const target = await app((response) => response.writeHead(401).end());
  const { url, row } = await listen(['--save', save, '--forward-to', target.url]);
  await deliver(url);
  await row({ event: 'response' });
  const folder = join(save, `0001-${event.id}`);
  await expect
    .poll(() => readFileSync(join(folder, 'meta.json'), 'utf8'))
    .toContain('"status": 401');
  const { code, stdout } = await hookproof(['explain', folder, '--secret', SECRET]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^app_verification: [^]*The app responded 401\.\n[^]*^ {2}Express /m);
});

/** Starts `hookproof listen` with the output for people, for one test. */
async function listenForPeople(args: readonly string[]): Promise<{
  readonly child: ChildProcessWithoutNullStreams;
  readonly url: string;
  readonly shown: () => string;
}> {
  const command = [PROGRAM, 'listen', '--port', '0', ...args];
  const child = spawn(process.execPath, command, { stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await expect.poll(() => output).toContain('ready, waiting for the first');
  const [, url = ''] = /webhooks at +(\S+)/.exec(output) ?? [];
  return { child, url, shown: () => output };
}

test('a response of our receiver has its fix below it, once', async () => {
  const target = await app((response) =>
    response.writeHead(503).end(JSON.stringify({ code: 'not_started' })),
  );
  const { url, shown } = await listenForPeople(['--forward-to', target.url]);
  await deliver(url);
  await deliver(url);
  await expect.poll(() => shown().match(/← \d {2}503/g)).toHaveLength(2);
  expect(shown().match(/^ {14}Fix: Call await receiver\.start\(\) before/gm)).toHaveLength(1);
});

test('the lines name id, verdict, response and what is wrong in the app', async () => {
  const target = await app((response) => response.writeHead(401).end('{"code":"no"}'));
  const args = ['--forward-to', target.url, '--secret', SECRET];
  const { child, url, shown } = await listenForPeople(args);
  await deliver(url);
  await expect
    .poll(shown)
    .toContain('The signature is valid. Fix: Look for what answers before the webhook route');
  const { id, data } = event;
  expect(shown()).toMatch(
    new RegExp(`→ 1  run\\.status_changed ${data.run.status}  ${data.run.id}  valid  ${id}\n`),
  );
  expect(shown()).toMatch(new RegExp(`← 1  401  [\\d.]+ ms  ${id}  \\{"code":"no"\\}\n`));
  expect(shown()).not.toContain(SECRET);
  // Its reader is gone: it responds to what it has accepted, and ends without an error.
  const exit = once(child, 'exit');
  child.stdout.destroy();
  expect((await deliver(url)).status).toBe(401);
  expect(await text(child.stderr)).toBe('');
  expect((await exit)[0]).toBe(0);
});

test('the curl line sends every byte and header from a shell', () => {
  const headers = [
    ['X-Text', 'äß "it\'s" $HOME `id` \\n'],
    ['webhook-id', 'whev_1'],
  ] as const;
  const body = Buffer.from('{"text":"it\'s \\u0000 ä\n\t$HOME"}');
  const line = curlLine('http://127.0.0.1:3000/?a=1', { headers, body });
  const script = `curl() { printf '%s\\0' "$@"; }; ${line}`;
  const words = execFileSync('bash', ['-c', script]).toString('latin1').split('\0');
  expect(words.slice(0, -1)).toEqual([
    '-i',
    '-X',
    'POST',
    'http://127.0.0.1:3000/?a=1',
    ...headers.flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    '--data-raw',
    body.toString('latin1'),
  ]);
});

test('says who has its port', async () => {
  const taken = await app();
  const { port } = new URL(taken.url);
  const { code, stderr } = await hookproof(['listen', '--port', port]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining(`Port ${port} is taken by another program.`),
  });
  const first = await listen();
  const again = await hookproof(['listen', '--port', new URL(first.url).port]);
  expect(again.stderr).toContain('is taken by another hookproof listen.');
});

import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { listeningPort } from '../../listening-port.ts';
import { hookproof, startServer } from '../hookproof.ts';
import type { Serving } from '../hookproof.ts';

let server: Serving;
beforeAll(async () => {
  server = await startServer([], { cwd: tmpdir() });
});
afterAll(() => server.stop());

/** A server of raw sockets, at its address. */
async function listen(behave: (socket: Socket) => void): Promise<string> {
  const hostile = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => behave(socket));
  });
  return `http://127.0.0.1:${await listeningPort(hostile)}`;
}

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

function drip(socket: Socket): void {
  socket.write(`${HEAD}content-length: 1000000\r\n\r\n{`);
  const timer = setInterval(() => socket.write(' '), 500);
  socket.once('close', () => clearInterval(timer));
}

function respond(type: string, body: string): (socket: Socket) => void {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\nconnection: close\r\n`;
  return (socket) => socket.end(`${head}content-length: ${body.length}\r\n\r\n${body}`);
}

const HOSTILE: Readonly<Record<string, readonly [(socket: Socket) => void, RegExp]>> = {
  'a body of two bytes a second': [drip, /the response is not complete after 20 s/],
  'a connection that is always reset': [
    (socket) => socket.resetAndDestroy(),
    /no response from http:\/\/127\.0\.0\.1:\d+: /,
  ],
  'a page for every path': [respond('text/html', '<!doctype html>'), /expected .*, got 200/],
  'another JSON API': [respond('application/json', '{"ok":true}'), /check the URL/],
  '8 MB of brackets': [
    respond('application/json', '['.repeat(8_000_000)),
    /The response is larger than \d+ bytes/,
  ],
};

describe('a target that is not the API ends the run with exit code 4 and one sentence', () => {
  test.each(Object.entries(HOSTILE))('%s', async (_name, [behave, sentence]) => {
    const baseUrl = await listen(behave);
    const { code, stdout, stderr } = await hookproof(['check', '--base-url', baseUrl]);
    expect(stdout).toMatch(sentence);
    expect({ code, stderr }).toEqual({ code: 4, stderr: '' });
  });

  test('a base URL with /v1 at its end', async () => {
    const args = ['check', '--base-url', `${server.baseUrl}/v1`, '--key', server.keys.wildcard];
    const { code, stdout } = await hookproof(args);
    expect(stdout).toContain('leave out /v1, which the suite appends');
    expect(code).toBe(4);
  });
});

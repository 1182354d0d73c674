import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';

import { compiledProgram } from '../compiled-program.ts';

const MEBIBYTE = 1024 * 1024;
const MAX_PEAK_MEBIBYTES = 300;
const MAX_MILLISECONDS = 120_000;
const JSON_TYPE = { 'content-type': 'application/json' };

const IDENTITY = { ok: true, tenantId: 't', userId: 'u', keyId: 'k', scope: [] };
const PAGE = { data: [], items: [], total: 0, limit: 100, offset: 0 };
const RIGHT = Buffer.from(JSON.stringify({ ...IDENTITY, wildcardGranted: true, ...PAGE }));

const sends =
  (body: Uint8Array, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(200, { ...JSON_TYPE, ...headers }).end(body);

/** Sends blanks for as long as the client reads, and at most this many bytes. */
const sendsBlanks =
  (length: number): RequestListener =>
  (_request, response) => {
    const part = Buffer.alloc(64 * 1024, ' ');
    let sent = 0;
    const write = (): void => {
      while (sent < length && !response.destroyed) {
        sent += part.byteLength;
        if (!response.write(part)) return;
      }
    };
    response.writeHead(200, JSON_TYPE).on('drain', write);
    write();
  };

/** A byte each second. */
function drips(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, JSON_TYPE);
  const timer = setInterval(() => response.write(' '), 1_000);
  response.on('close', () => clearInterval(timer));
}

function neverResponds(): void {}

/** Writes these bytes to the connection again and again, as fast as the client reads or each second. */
const repeats =
  (start: string, part: string, pace: 'at-once' | 'each-second' = 'at-once'): RequestListener =>
  ({ socket }) => {
    socket.write(start);
    if (pace === 'each-second') {
      const timer = setInterval(() => socket.write(part), 1_000);
      socket.on('close', () => clearInterval(timer));
      return;
    }
    const write = (): void => {
      while (!socket.destroyed && socket.write(part));
    };
    socket.on('drain', write).on('error', () => {});
    write();
  };

const STATUS_LINE = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const CHUNKED = `${STATUS_LINE}transfer-encoding: chunked\r\n\r\n`;
const KIBIBYTE = 'a'.repeat(1024);

function list(entry: string, length: number): Buffer {
  const count = Math.floor(length / (entry.length + 1));
  const entries = `${`${entry},`.repeat(count)}${entry}`;
  return Buffer.from(`{"ok":true,"tenantId":"t","total":1,"data":[${entries}],"items":[]}`);
}

export const FORMS: Readonly<Record<string, RequestListener>> = {
  'a body without an end': sendsBlanks(Infinity),
  'a body of 1 GB': sendsBlanks(1024 * MEBIBYTE),
  'JSON of 16 MB nested in itself': sends(Buffer.from('[{"a":'.repeat((16 * MEBIBYTE) / 6 - 1))),
  'a gzip bomb': sends(gzipSync(Buffer.alloc(256 * MEBIBYTE)), { 'content-encoding': 'gzip' }),
  'a list of 99,000 empty entries': sends(list('{}', 300_000)),
  'a byte each second': drips,
  'headers without an end': repeats(STATUS_LINE, `x: ${KIBIBYTE}\r\n`),
  'a list of 15 MB': sends(list('{"id":"an id of many"}', 15 * MEBIBYTE)),
  silence: neverResponds,
};

/** Each is refused as one of the forms is. */
export const LIKE_THEM: typeof FORMS = {
  'a chunk extension without an end': repeats(`${CHUNKED}1;`, KIBIBYTE),
  'a byte of a header each second': repeats(`${STATUS_LINE}x: `, 'a', 'each-second'),
  'a header without an end': repeats(`${STATUS_LINE}x: `, KIBIBYTE),
  'interim responses without an end': repeats('', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  'trailers without an end': repeats(`${CHUNKED}0\r\n`, `x: ${KIBIBYTE}\r\n`),
  'chunks of one byte without an end': repeats(CHUNKED, '1\r\n \r\n'.repeat(1024)),
};

/** Runs the suite in its own process. It is killed after two minutes. */
async function runAgainst(listener: RequestListener): Promise<{ peakMebibytes: number }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The server listens on a port, not on a pipe.
  const { port } = server.address() as AddressInfo;
  const main = compiledProgram(new URL('programs/run-for-peak.ts', import.meta.url));
  const args = [main, `http://127.0.0.1:${port}`];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      timeout: MAX_MILLISECONDS,
    });
    return JSON.parse(stdout);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** The first requests get right responses, so that the run reaches its checks. */
function afterReaching(listener: RequestListener): RequestListener {
  let count = 0;
  return (request, response) => {
    count += 1;
    if (count > 3) listener(request, response);
    else sends(RIGHT)(request, response);
  };
}

/**
 * Defines a test for each form. Most of the time is waiting, so they wait together. Each run is a process of its own, which
 * reports its own peak.
 *
 * @param where - what a target responds so to
 */
export function endsWithinBounds(
  where: 'from the first request' | 'in place of every resource',
  forms: Readonly<Record<string, RequestListener>>,
): void {
  describe.concurrent('a run ends within two minutes and 300 MB', () => {
    test.each(Object.entries(forms))(`%s ${where}`, async (_name, listener) => {
      const isFirst = where === 'from the first request';
      const { peakMebibytes } = await runAgainst(isFirst ? listener : afterReaching(listener));
      expect(peakMebibytes).toBeLessThan(MAX_PEAK_MEBIBYTES);
    });
  });
}

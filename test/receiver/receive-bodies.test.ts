import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { runInNewContext } from 'node:vm';

import type { ReceiveRequest } from '@hookproof/receiver';
import { runCreatedEvent, signEvent } from '@hookproof/receiver/testing';
import { describe, expect, it } from 'vitest';

import { emptyFolder } from '../empty-folder.ts';
import { SECRET, startedReceiver } from './started-receiver.ts';
import { NOON } from './virtual-clock.ts';

const { headers, body } = signEvent(runCreatedEvent({ run: { output: 'größer' } }), {
  secret: SECRET,
  now: () => NOON,
});
const copy = () => new Uint8Array(body);
const halves = () => [body.subarray(0, 100), body.subarray(100)];
const bytesIn = (size: number) =>
  Array.from({ length: Math.ceil(body.length / size) }, (_, at) =>
    body.subarray(at * size, (at + 1) * size),
  );

/** What a JavaScript program can pass, whatever the types say. */
async function received(given: unknown, options = {}) {
  const started = await startedReceiver(options);
  const request = { method: 'POST', headers, body: given } as ReceiveRequest;
  const response = started.receiver.receive(request);
  return { ...started, response };
}

describe('a body that receive() takes', () => {
  it.each<[string, () => unknown]>([
    ['a Buffer', () => body],
    ['a Uint8Array', copy],
    [
      'a Uint8Array of another realm',
      () => runInNewContext('Uint8Array.from(bytes)', { bytes: [...body] }),
    ],
    ['an ArrayBuffer', () => copy().buffer],
    ['a Node stream', () => Readable.from(halves(), { objectMode: false })],
    ['a Node stream of single bytes', () => Readable.from(bytesIn(1), { objectMode: false })],
    ['a web stream', () => new Blob([copy()]).stream()],
    ['a web stream of chunks of 7', () => Readable.toWeb(Readable.from(bytesIn(7)))],
    ['an async iterable', generated],
  ])('%s', async (_, make) => {
    const made = make();
    const { response, receiver, handled } = await received(
      typeof made === 'function' ? made() : made,
    );
    expect(await response).toMatchObject({ status: 202, body: '' });
    await receiver.idle();
    expect(handled).toMatchObject([{ event: { data: { run: { output: 'größer' } } } }]);
  });

  it('is a file stream', async () => {
    const file = path.join(emptyFolder(), 'body');
    await writeFile(file, body);
    const { response } = await received(createReadStream(file));
    expect(await response).toMatchObject({ status: 202 });
  });

  it('is empty', async () => {
    const { response } = await received(Readable.from([]));
    expect(await response).toMatchObject({ code: 'signature_mismatch' });
  });
});

describe('a body that receive() refuses', () => {
  const text = body.toString();
  const misused: readonly (readonly [string, unknown, string])[] = [
    ['a string', text, `a string of ${text.length} characters`],
    ['the string "accepted"', 'accepted', 'a string of 8 characters'],
    ['the string "duplicate"', 'duplicate', 'a string of 9 characters'],
    ['the string "constructor"', 'constructor', 'a string of 11 characters'],
    ['null', null, 'null'],
    ['undefined', undefined, 'undefined'],
    ['a number', 202, 'a number'],
    ['a function', () => body, 'a function'],
    ['a promise', Promise.resolve(body), 'an object of type Promise'],
    ['a Blob', new Blob([copy()]), 'an object of type Blob'],
    ['a parsed object', JSON.parse(text), 'an object of type Object'],
    ['a failure code in an object', { code: 'accepted' }, 'an object of type Object'],
    ['an array of bytes', [...body], 'an object of type Array'],
    ['a DataView', new DataView(copy().buffer), 'an object of type DataView'],
    ['a Uint16Array', new Uint16Array(8), 'an object of type Uint16Array'],
    ['a shared buffer', new SharedArrayBuffer(8), 'an object of type SharedArrayBuffer'],
    [
      'a Request',
      new Request('http://a', { method: 'POST', body: text }),
      'an object of type Request',
    ],
    ['a stream of strings', Readable.from([text]), 'a stream of other values'],
    [
      'a stream with an encoding',
      Readable.from([body]).setEncoding('utf8'),
      'a stream of other values',
    ],
  ];

  it.each(misused)('%s', async (_, given, kind) => {
    const { response, problems, responses, receiver, handled } = await received(given);
    const expected = { status: 500, code: 'body_not_bytes', body: '{"code":"body_not_bytes"}' };
    expect(await response).toMatchObject(expected);
    expect(problems).toMatchObject([
      {
        code: 'body_not_bytes',
        message:
          'body must be a Uint8Array, an ArrayBuffer or a stream of bytes that is not read yet, got ' +
          `${kind}. Pass the bytes as received: no text, no parsed JSON, no string encoding of a stream.`,
      },
    ]);
    expect(responses).toMatchObject([{ code: 'body_not_bytes', status: 500 }]);
    await receiver.idle();
    expect(handled).toEqual([]);
  });

  it('a Node stream, a web stream or a Fetch body that was read before', async () => {
    const node = Readable.from(halves());
    await node.toArray();
    const request = new Request('http://a', { method: 'POST', body: text });
    await request.text();
    const locked = new Blob([copy()]).stream();
    locked.getReader();
    for (const given of [node, request.body, locked]) {
      const { response, problems } = await received(given);
      expect(await response).toMatchObject({ status: 500, code: 'body_already_read' });
      const message =
        'Body must be unread, got a body that a parser consumed. Pass a stream that is neither read nor locked.';
      expect(problems).toMatchObject([{ code: 'body_already_read', message }]);
    }
  });

  it('a stream that grows above the limit, whose rest is dropped', async () => {
    const sender = new PassThrough();
    const { response } = await received(sender, { bodyLimitBytes: 100 });
    sender.write(Buffer.alloc(101));
    expect(await response).toMatchObject({ status: 413 });
    for (let count = 0; count < 100; count += 1) sender.write(Buffer.alloc(65_536));
    const ended = new Promise((resolve) => sender.on('end', resolve));
    sender.end();
    await ended;
  });

  it('a stream that breaks', async () => {
    const node = new PassThrough();
    const web = new ReadableStream({ pull: (control) => control.error(new Error('reset')) });
    const begun = [node, web, breaking()].map((given) => received(given));
    const responses = await Promise.all(begun);
    node.destroy(new Error('reset'));
    for (const { response } of responses) {
      expect(await response).toMatchObject({ status: 408, code: 'body_aborted' });
    }
    const { response } = await received(node);
    expect(await response).toMatchObject({ status: 408, code: 'body_aborted' });
  });

  it.each<[string, (isCancelled: () => void) => unknown]>([
    ['Node', (isCancelled) => new PassThrough().on('close', isCancelled)],
    ['web', (isCancelled) => new ReadableStream({ cancel: isCancelled })],
    ['iterable', (isCancelled) => silent(isCancelled)],
  ])('a %s stream that stalls, and closes it when it goes on stalling', async (_, make) => {
    let isClosed = false;
    const { response, clock } = await received(make(() => (isClosed = true)));
    await clock.advance(9_999);
    await clock.advance(1);
    expect(await response).toMatchObject({ status: 408, code: 'body_stalled' });
    expect(isClosed).toBe(false);
    await clock.advance(10_000);
    expect(isClosed).toBe(true);
  });
});

async function* generated() {
  yield* halves();
}

async function* breaking() {
  yield body;
  throw new Error('reset');
}

function silent(isCancelled: () => void): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => {}),
      return: async () => {
        isCancelled();
        return { done: true, value: undefined };
      },
    }),
  };
}

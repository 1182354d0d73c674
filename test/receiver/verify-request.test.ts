import * as nodeDoor from '@hookproof/receiver/verify';
import * as webDoor from '@hookproof/receiver/verify-web';
import { runCreatedEvent, signEvent } from '@hookproof/receiver/testing';
import { describe, expect, test } from 'vitest';

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBlbmRwb2ludA==';
const NOW = Date.parse('2026-07-01T12:00:00.000Z');
const event = runCreatedEvent();
const delivery = signEvent(event, { secret: SECRET, now: () => NOW });
const options = { secrets: SECRET, now: () => NOW };

/** A request whose body comes in the given parts, then ends, fails or stalls. */
function requestOf(
  parts: readonly Uint8Array[],
  end: 'closes' | 'fails' | 'stalls' = 'closes',
  headers: Record<string, string> = delivery.headers,
): { readonly request: Request; readonly reads: () => number; readonly canceled: () => boolean } {
  let reads = 0;
  let canceled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const part = parts[reads];
        reads += 1;
        if (part !== undefined) controller.enqueue(part);
        else if (end === 'closes') controller.close();
        else if (end === 'fails') controller.error(new Error('socket hang up'));
      },
      cancel() {
        canceled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' };
  const request = new Request('https://consumer.example/webhooks', init);
  return { request, reads: () => reads, canceled: () => canceled };
}

const halves = [delivery.body.subarray(0, 20), delivery.body.subarray(20)];

describe.each([
  ['verify', nodeDoor],
  ['verify-web', webDoor],
] as const)('verifyRequest of /%s', (_, { verifyRequest }) => {
  test('returns the event of a body in parts', async () => {
    expect(await verifyRequest(requestOf(halves).request, options)).toEqual(event);
  });

  test('judges the headers before it reads', async () => {
    const { request, reads } = requestOf(halves, 'closes', { 'webhook-id': event.id });
    await expect(verifyRequest(request, options)).rejects.toMatchObject({ code: 'header_missing' });
    expect(reads()).toBe(0);
  });

  test('refuses a changed body', async () => {
    const { request } = requestOf([...halves, Buffer.from(' ')]);
    const verifying = verifyRequest(request, options);
    await expect(verifying).rejects.toMatchObject({ code: 'signature_mismatch' });
  });

  test('refuses a body above the limit, by its length or while it comes', async () => {
    const bodyLimitBytes = delivery.body.length - 1;
    const error = {
      name: 'RequestBodyError',
      code: 'body_too_large',
      message: `Request body must be at most ${bodyLimitBytes} bytes, got more. Raise bodyLimitBytes.`,
    };
    const coming = requestOf([...halves, ...halves], 'stalls');
    await expect(
      verifyRequest(coming.request, { ...options, bodyLimitBytes }),
    ).rejects.toMatchObject(error);
    expect(coming.canceled()).toBe(true);
    const headers = { ...delivery.headers, 'content-length': String(delivery.body.length) };
    const declared = requestOf(halves, 'closes', headers);
    await expect(
      verifyRequest(declared.request, { ...options, bodyLimitBytes }),
    ).rejects.toMatchObject(error);
    expect(declared.reads()).toBe(0);
    const fits = { ...options, bodyLimitBytes: delivery.body.length };
    expect(await verifyRequest(requestOf(halves).request, fits)).toEqual(event);
  });

  test('stops when the signal is aborted, before or while the body comes', async () => {
    const error = {
      code: 'body_stalled',
      message: 'Request body must be complete, got a part of it until the signal was aborted.',
    };
    const stalled = requestOf(halves, 'stalls');
    const abort = new AbortController();
    const verifying = verifyRequest(stalled.request, { ...options, signal: abort.signal });
    await expect.poll(stalled.reads).toBe(3);
    abort.abort();
    await expect(verifying).rejects.toMatchObject(error);
    expect(stalled.canceled()).toBe(true);
    const late = { ...options, signal: AbortSignal.abort() };
    await expect(verifyRequest(requestOf(halves).request, late)).rejects.toMatchObject(error);
  });

  test('reports a connection that fails', async () => {
    await expect(verifyRequest(requestOf(halves, 'fails').request, options)).rejects.toMatchObject({
      code: 'body_aborted',
      message: 'Request body must be complete, got an error of the connection.',
      cause: expect.objectContaining({ message: 'socket hang up' }),
    });
  });

  test('refuses a body that was read, with the fix', async () => {
    const { request } = requestOf(halves);
    await request.arrayBuffer();
    await expect(verifyRequest(request, options)).rejects.toThrow(
      /^Request body must be unread, got a body that was read\. Verify before request\.json\(\)/,
    );
    const locked = requestOf(halves).request;
    locked.body?.getReader();
    await expect(verifyRequest(locked, options)).rejects.toThrow(TypeError);
  });

  test('refuses a request without a body as one with another body', async () => {
    const request = new Request('https://consumer.example/', { headers: delivery.headers });
    const verifying = verifyRequest(request, options);
    await expect(verifying).rejects.toMatchObject({ code: 'signature_mismatch' });
  });

  test('refuses a limit that is not a positive integer', async () => {
    const wrong = { ...options, bodyLimitBytes: 0 };
    await expect(verifyRequest(requestOf(halves).request, wrong)).rejects.toThrow(
      /^bodyLimitBytes must be a positive integer, got 0\.$/,
    );
  });
});

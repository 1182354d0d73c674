import { DELIVERY_FAULT_NAMES } from '@hookproof/spec/control';
import type { Socket } from 'node:net';

import { WebhookVerificationError, createVerifier } from '@hookproof/receiver/verify';
import { assert, integer, jsonValue, property, record, stringMatching } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { alterRequest } from '../../../../server-reference/src/lab/delivery-faults/alter-request.ts';
import type {
  BodyControl,
  OutgoingRequest,
} from '../../../../server-reference/src/platform/sender/post.ts';
import type { DeliveryFault } from '../../../../server-reference/src/lab/delivery-faults/delivery-fault.ts';
import { fillDefaults } from '../../../../server-reference/src/lab/delivery-faults/delivery-fault.ts';
import { eventPayload } from '../../../../server-reference/src/platform/runs/events.ts';
import { deliveryHeaders } from '../../../../server-reference/src/platform/sender/headers.ts';

const ids = stringMatching(/^[0-9a-f]{20}$/);
const secrets = stringMatching(/^whsec_[0-9a-f]{40}$/);
const times = integer({ min: 700_000_000, max: 4_000_000_000 });

/** An original request of any event, and the secret that it is signed with. */
const originals = record({
  id: ids,
  runId: ids,
  secret: secrets,
  timestamp: times,
  output: jsonValue(),
}).map(({ id, runId, secret, timestamp, output }) => {
  const createdAt = new Date(timestamp * 1000).toISOString();
  const payload = Buffer.from(
    eventPayload({
      id: `event_${id}`,
      createdAt,
      test: false,
      run: {
        id: `exec_${runId}`,
        automationId: 'wf_1',
        type: 'workflow',
        status: 'completed',
        triggerType: 'api',
        createdAt,
        startedAt: null,
        completedAt: null,
        output,
      },
    }),
  );
  const message = { id: `event_${id}`, timestamp, payload };
  const headers = deliveryHeaders(message, secret, { 'x-own': '1' });
  const original: OutgoingRequest = { message, headers, body: payload };
  return { original, secret };
});

function verdict({ headers, body }: OutgoingRequest, secret: string, second: number): string {
  const verifier = createVerifier({ secrets: secret, now: () => second * 1000 });
  try {
    verifier.verifySignature(headers, body);
    return 'verifies';
  } catch (error) {
    return error instanceof WebhookVerificationError ? error.code : String(error);
  }
}

function run(fault: DeliveryFault, check: (given: Given) => void): void {
  assert(
    property(originals, ({ original, secret }) => {
      check({ original, secret, altered: alterRequest(original, secret, fault) });
    }),
  );
}
interface Given {
  readonly original: OutgoingRequest;
  readonly secret: string;
  readonly altered: OutgoingRequest;
}

test('an original request verifies', () => {
  run({ name: 'delay', milliseconds: 1 }, ({ original, secret, altered }) => {
    expect(verdict(altered, secret, original.message.timestamp)).toBe('verifies');
  });
});

test('a tampered body differs in one byte, is JSON of the same length and id, and never verifies', () => {
  run({ name: 'tampered-body' }, ({ original, secret, altered }) => {
    const changed = [...altered.body].filter((byte, index) => byte !== original.body[index]);
    expect([altered.body.byteLength, changed.length]).toEqual([original.body.byteLength, 1]);
    const event = JSON.parse(altered.body.toString('utf8'));
    const before = JSON.parse(original.body.toString('utf8'));
    expect(event.id).toBe(before.id);
    expect(event.data.run.id).not.toBe(before.data.run.id);
    expect(altered.headers).toEqual(original.headers);
    expect(verdict(altered, secret, original.message.timestamp)).toBe('signature_mismatch');
  });
});

test('a wrong secret never verifies, and is always the same', () => {
  run({ name: 'wrong-secret' }, ({ original, secret, altered }) => {
    expect(verdict(altered, secret, original.message.timestamp)).toBe('signature_mismatch');
    expect(alterRequest(original, secret, { name: 'wrong-secret' })).toEqual(altered);
    expect(altered.body).toEqual(original.body);
    const { 'webhook-signature': _signature, ...rest } = altered.headers;
    expect(original.headers).toMatchObject(rest);
  });
});

describe.each([
  ['stale-timestamp', -1, 'timestamp_too_old'],
  ['future-timestamp', 1, 'timestamp_too_new'],
] as const)('%s', (name, sign, code) => {
  test('verifies at its own time, and fails at the time of the attempt', () => {
    run({ name, seconds: 600 }, ({ original, secret, altered }) => {
      const { timestamp } = original.message;
      expect(altered.message.timestamp).toBe(timestamp + sign * 600);
      expect(altered.headers['webhook-timestamp']).toBe(String(altered.message.timestamp));
      expect(verdict(altered, secret, altered.message.timestamp)).toBe('verifies');
      expect(verdict(altered, secret, timestamp)).toBe(code);
    });
  });
});

test('no timestamp is before 1970', () => {
  run({ name: 'stale-timestamp', seconds: 5_000_000_000 }, ({ altered }) => {
    expect(altered.headers['webhook-timestamp']).toBe('0');
  });
});

test('a truncated body is never whole, and half by default', () => {
  run({ name: 'truncated-body' }, ({ original, altered }) => {
    const half = Math.floor(original.body.byteLength / 2);
    expect(writtenPieces(altered)).toEqual([original.body.subarray(0, half)]);
  });
  run({ name: 'truncated-body', bytes: 0 }, ({ altered }) => {
    expect(writtenPieces(altered)).toEqual([Buffer.alloc(0)]);
  });
  run({ name: 'truncated-body', bytes: 1e9 }, ({ original, altered }) => {
    expect(writtenPieces(altered)).toEqual([original.body.subarray(0, -1)]);
  });
});

test('a drip has no empty piece', () => {
  run({ name: 'slow-drip', milliseconds: 70, pieces: 1_000_000 }, ({ original, altered }) => {
    const pieces = writtenPieces(altered);
    expect(pieces.map(({ byteLength }) => byteLength)).toEqual(Array(pieces.length).fill(1));
    expect(Buffer.concat(pieces)).toEqual(original.body);
  });
});

/** What is written to the connection when every timer fires at once. */
function writtenPieces({ body, writeBody }: OutgoingRequest): Buffer[] {
  const pieces: Buffer[] = [];
  const timers: (() => unknown)[] = [];
  const socket = { once() {}, write: (piece: Buffer) => pieces.push(piece) };
  writeBody?.(socket as unknown as Socket, body, {
    clock: { steady: () => 0, setTimeout: (callback: () => unknown) => timers.push(callback) },
    attempt: { pause() {}, resume() {} },
    written() {},
    cutOff() {},
  } as unknown as BodyControl);
  for (let fire = timers.shift(); fire !== undefined; fire = timers.shift()) fire();
  return pieces;
}

test.each(DELIVERY_FAULT_NAMES)('%s leaves custom headers, id and target unchanged', (name) => {
  run(fillDefaults({ name }), ({ original, altered }) => {
    expect(Object.keys(altered.headers)).toEqual(Object.keys(original.headers));
    expect(altered.headers).toMatchObject({ 'x-own': '1', 'webhook-id': original.message.id });
    expect(altered.headers['content-length']).toBe(String(original.body.byteLength));
  });
});

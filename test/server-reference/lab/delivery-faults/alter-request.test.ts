import { DELIVERY_FAULT_NAMES } from '@hookproof/spec/control';
import type { ClientRequest } from 'node:http';

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

/** An honest departure of any event, and the secret that it is signed with. */
const honestOnes = record({
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
        id: `run_${runId}`,
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
  const honest: OutgoingRequest = { message, headers, body: payload };
  return { honest, secret };
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

function run(affliction: DeliveryFault, law: (given: Given) => void): void {
  assert(
    property(honestOnes, ({ honest, secret }) => {
      law({ honest, secret, left: alterRequest(honest, secret, affliction) });
    }),
  );
}
interface Given {
  readonly honest: OutgoingRequest;
  readonly secret: string;
  readonly left: OutgoingRequest;
}

test('an honest departure verifies', () => {
  run({ name: 'delay', milliseconds: 1 }, ({ honest, secret, left }) => {
    expect(verdict(left, secret, honest.message.timestamp)).toBe('verifies');
  });
});

test('a tampered body differs in one byte, is JSON of the same length and id, and never verifies', () => {
  run({ name: 'tampered-body' }, ({ honest, secret, left }) => {
    const changed = [...left.body].filter((byte, index) => byte !== honest.body[index]);
    expect([left.body.byteLength, changed.length]).toEqual([honest.body.byteLength, 1]);
    const event = JSON.parse(left.body.toString('utf8'));
    const before = JSON.parse(honest.body.toString('utf8'));
    expect(event.id).toBe(before.id);
    expect(event.data.run.id).not.toBe(before.data.run.id);
    expect(left.headers).toEqual(honest.headers);
    expect(verdict(left, secret, honest.message.timestamp)).toBe('signature_mismatch');
  });
});

test('a wrong secret never verifies, and is always the same', () => {
  run({ name: 'wrong-secret' }, ({ honest, secret, left }) => {
    expect(verdict(left, secret, honest.message.timestamp)).toBe('signature_mismatch');
    expect(alterRequest(honest, secret, { name: 'wrong-secret' })).toEqual(left);
    expect(left.body).toEqual(honest.body);
    const { 'webhook-signature': _signature, ...rest } = left.headers;
    expect(honest.headers).toMatchObject(rest);
  });
});

describe.each([
  ['stale-timestamp', -1, 'timestamp_too_old'],
  ['future-timestamp', 1, 'timestamp_too_new'],
] as const)('%s', (name, sign, code) => {
  test('verifies at its own time, and not at that of the attempt', () => {
    run({ name, seconds: 600 }, ({ honest, secret, left }) => {
      const { timestamp } = honest.message;
      expect(left.message.timestamp).toBe(timestamp + sign * 600);
      expect(left.headers['webhook-timestamp']).toBe(String(left.message.timestamp));
      expect(verdict(left, secret, left.message.timestamp)).toBe('verifies');
      expect(verdict(left, secret, timestamp)).toBe(code);
    });
  });
});

test('no timestamp lies before 1970', () => {
  run({ name: 'stale-timestamp', seconds: 5_000_000_000 }, ({ left }) => {
    expect(left.headers['webhook-timestamp']).toBe('0');
  });
});

test('a truncated body is never whole, and half by default', () => {
  run({ name: 'truncated-body' }, ({ honest, left }) => {
    const half = Math.floor(honest.body.byteLength / 2);
    expect(writtenPieces(left)).toEqual([honest.body.subarray(0, half)]);
  });
  run({ name: 'truncated-body', bytes: 0 }, ({ left }) => {
    expect(writtenPieces(left)).toEqual([Buffer.alloc(0)]);
  });
  run({ name: 'truncated-body', bytes: 1e9 }, ({ honest, left }) => {
    expect(writtenPieces(left)).toEqual([honest.body.subarray(0, -1)]);
  });
});

test('a drip has no empty piece', () => {
  run({ name: 'slow-drip', milliseconds: 70, pieces: 1_000_000 }, ({ honest, left }) => {
    const pieces = writtenPieces(left);
    expect(pieces.map(({ byteLength }) => byteLength)).toEqual(Array(pieces.length).fill(1));
    expect(Buffer.concat(pieces)).toEqual(honest.body);
  });
});

/** What is written to the request while the clock fires every timer at once. */
function writtenPieces({ body, writeBody }: OutgoingRequest): Buffer[] {
  const pieces: Buffer[] = [];
  const timers: (() => unknown)[] = [];
  const request = {
    flushHeaders() {},
    setNoDelay() {},
    once() {},
    write: (piece: Buffer) => pieces.push(piece),
    end: (piece: Buffer) => pieces.push(piece),
  };
  writeBody?.(request as unknown as ClientRequest, body, {
    clock: { now: () => 0, setTimeout: (callback: () => unknown) => timers.push(callback) },
    attempt: { pause() {}, resume() {} },
    cutOff() {},
  } as unknown as BodyControl);
  for (let fire = timers.shift(); fire !== undefined; fire = timers.shift()) fire();
  return pieces;
}

test.each(DELIVERY_FAULT_NAMES)(
  '%s leaves the custom headers, the id and the target alone',
  (name) => {
    run(fillDefaults({ name }), ({ honest, left }) => {
      expect(Object.keys(left.headers)).toEqual(Object.keys(honest.headers));
      expect(left.headers).toMatchObject({ 'x-own': '1', 'webhook-id': honest.message.id });
      expect(left.headers['content-length']).toBe(String(honest.body.byteLength));
    });
  },
);

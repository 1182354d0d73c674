import { DELIVERY_FAULT_NAMES } from '@hookproof/spec/control';

import { WebhookVerificationError, createVerifier } from '@hookproof/receiver/verify';
import { assert, integer, jsonValue, property, record, stringMatching } from 'fast-check';
import { expect, test } from 'vitest';

import { alterRequest } from '../../../../server-reference/src/lab/delivery-faults/alter-request.ts';
import type { DeliveryFault } from '../../../../server-reference/src/lab/delivery-faults/delivery-fault.ts';
import { fillDefaults } from '../../../../server-reference/src/lab/delivery-faults/delivery-fault.ts';
import { eventPayload } from '../../../../server-reference/src/events/event.ts';
import { deliveryHeaders } from '../../../../server-reference/src/events/signed-headers.ts';
import type { DeliveryRequest } from '../../../../server-reference/src/events/order.ts';

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
  const original: DeliveryRequest = { url: 'http://127.0.0.1:1/', headers, body: payload };
  return { original, secret, timestamp };
});

function verdict({ headers, body }: DeliveryRequest, secret: string, second: number): string {
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
    property(originals, ({ original, secret, timestamp }) => {
      check({ original, secret, timestamp, altered: alterRequest(original, secret, fault) });
    }),
    { numRuns: 30 },
  );
}
interface Given {
  readonly original: DeliveryRequest;
  readonly secret: string;
  /** When the original request was signed. */
  readonly timestamp: number;
  readonly altered: DeliveryRequest;
}

test('a tampered body differs in one byte, is JSON of the same length and id, and never verifies', () => {
  run({ name: 'tampered-body' }, ({ original, secret, timestamp, altered }) => {
    const changed = [...altered.body].filter((byte, index) => byte !== original.body[index]);
    expect([altered.body.byteLength, changed.length]).toEqual([original.body.byteLength, 1]);
    const event = JSON.parse(altered.body.toString('utf8'));
    const before = JSON.parse(original.body.toString('utf8'));
    expect(event.id).toBe(before.id);
    expect(event.data.run.id).not.toBe(before.data.run.id);
    expect(altered.headers).toEqual(original.headers);
    expect(verdict(altered, secret, timestamp)).toBe('signature_mismatch');
  });
});

test('a wrong secret never verifies, and is always the same', () => {
  run({ name: 'wrong-secret' }, ({ original, secret, timestamp, altered }) => {
    expect(verdict(altered, secret, timestamp)).toBe('signature_mismatch');
    expect(alterRequest(original, secret, { name: 'wrong-secret' })).toEqual(altered);
    expect(altered.body).toEqual(original.body);
    const { 'webhook-signature': _signature, ...rest } = altered.headers;
    expect(original.headers).toMatchObject(rest);
  });
});

test('no timestamp is before 1970', () => {
  run({ name: 'stale-timestamp', seconds: 5_000_000_000 }, ({ altered }) => {
    expect(altered.headers['webhook-timestamp']).toBe('0');
  });
});

test.each(DELIVERY_FAULT_NAMES)('%s leaves custom headers, id and target unchanged', (name) => {
  run(fillDefaults({ name }), ({ original, altered }) => {
    expect(Object.keys(altered.headers)).toEqual(Object.keys(original.headers));
    expect(altered.headers).toMatchObject({
      'x-own': '1',
      'webhook-id': original.headers['webhook-id'],
    });
    expect(altered.headers['content-length']).toBe(String(original.body.byteLength));
  });
});

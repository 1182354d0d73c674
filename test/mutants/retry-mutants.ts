import type { Mutant } from './mutant.ts';

const DECISION = 'server-reference/dist/platform/sender/retry.js';
const PAYLOAD_LINE = 'const body = Buffer.from(event.payload);';
const MESSAGE_ID = 'const message = { id: event.id, timestamp:';

/** Retries of a delivery, and their contents. */
export const retryMutants: readonly Mutant[] = [
  {
    id: 'no-retry-on-503',
    defect: 'A 503 ends delivery.',
    file: DECISION,
    find: 'status >= 500 && status <= 599',
    replace: 'status >= 500 && status !== 503',
    fails: ['sender.retry.on-503'],
  },
  {
    id: 'no-retry-on-500',
    defect: 'A 500 ends delivery.',
    file: DECISION,
    find: 'status >= 500 && status <= 599',
    replace: 'status > 500 && status <= 599',
    fails: ['sender.retry.on-500'],
  },
  ...[408, 425, 429].map((status) => ({
    id: `no-retry-on-${status}`,
    defect: `A ${status} ends delivery.`,
    file: DECISION,
    find: 'retried === status)',
    replace: `retried === status && status !== ${status})`,
    fails: [`sender.retry.on-${status}`],
  })),
  {
    id: 'no-retry-on-network-failure',
    defect: 'A failure of the network ends delivery.',
    file: DECISION,
    find: "if (outcome.kind === 'no_response')\n        return { kind: 'retry' };",
    replace:
      "if (outcome.kind === 'no_response')\n        return { kind: 'end', reason: 'unanswered' };",
    fails: ['sender.retry.on-network-failure', 'sender.retry.on-timeout'],
  },
  {
    id: 'no-retry-on-timeout',
    defect: 'A timeout ends the delivery.',
    file: 'server-reference/dist/platform/sender/settle.js',
    find: 'const decision = retryDecision(result.outcome);',
    replace:
      "const decision = result.error === 'timeout' ? { kind: 'end', reason: 'attempts_exhausted' } : retryDecision(result.outcome);",
    fails: ['sender.retry.on-timeout'],
  },
  ...[400, 404, 410].map((status) => ({
    id: `retry-after-${status}`,
    defect: `A ${status} is tried again.`,
    file: DECISION,
    find: 'if (status >= 500',
    replace: `if (status === ${status} || status >= 500`,
    fails: [`sender.end.on-${status}`],
  })),
  {
    id: 'retry-after-202',
    defect: 'A 202 is tried again.',
    file: DECISION,
    find: 'if (status >= 200 &&',
    replace: "if (status === 202)\n        return { kind: 'retry' };\n    if (status >= 200 &&",
    fails: ['sender.end.on-2xx'],
  },
  {
    id: 'new-id-on-retry',
    defect: 'A retry has another webhook-id.',
    file: 'server-reference/dist/platform/sender/attempt.js',
    find: MESSAGE_ID,
    replace:
      'const message = { id: order.manualRequest === undefined && order.delivery.attempts.length > 0 ? `${event.id}x` : event.id, timestamp:',
    fails: ['sender.retry.same-id'],
  },
  {
    id: 'new-payload-on-retry',
    defect: 'A retry has other bytes with the same JSON.',
    file: 'server-reference/dist/platform/sender/attempt.js',
    find: PAYLOAD_LINE,
    replace:
      'const body = Buffer.from(order.manualRequest === undefined && order.delivery.attempts.length > 0 ? `${event.payload} ` : event.payload);',
    fails: ['sender.retry.same-payload'],
  },
  {
    id: 'signature-of-first-try',
    defect: 'A retry is signed with the timestamp of the first attempt, and sent with a new one.',
    file: 'server-reference/dist/platform/sender/attempt.js',
    find: 'headers: deliveryHeaders(message, endpoint.secret, endpoint.headers)',
    replace:
      "headers: { ...deliveryHeaders({ ...message, timestamp: order.delivery.attempts.length > 0 ? 0 : message.timestamp }, endpoint.secret, endpoint.headers), 'webhook-timestamp': String(message.timestamp) }",
    fails: ['sender.retry.fresh-signature'],
  },
  {
    id: 'retry-after-ignored',
    defect: 'Retry-After is ignored.',
    file: 'server-reference/dist/platform/sender/retry.js',
    find: 'return Math.max(backoffMilliseconds,',
    replace: 'return Math.min(backoffMilliseconds,',
    fails: ['sender.retry.retry-after'],
    outcome: 'conformant',
  },
  {
    id: 'new-id-on-redelivery',
    defect: 'A manual redelivery has another webhook-id.',
    file: 'server-reference/dist/platform/sender/attempt.js',
    find: MESSAGE_ID,
    replace:
      'const message = { id: order.manualRequest !== undefined ? `${event.id}x` : event.id, timestamp:',
    fails: ['sender.redelivery.same-id'],
  },
  {
    id: 'new-payload-on-redelivery',
    defect: 'A manual redelivery has other bytes, though the same JSON.',
    file: 'server-reference/dist/platform/sender/attempt.js',
    find: PAYLOAD_LINE,
    replace:
      'const body = Buffer.from(order.manualRequest !== undefined ? `${event.payload} ` : event.payload);',
    fails: ['sender.redelivery.same-payload'],
  },
];

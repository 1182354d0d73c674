import type { Mutant } from './mutant.ts';

const HEADERS = 'server-reference/dist/platform/sender/headers.js';
const SIGNATURE_WRONG = ['sender.signature.over-raw-bytes', 'sender.retry.fresh-signature'];

/** Contents of a delivery, and asynchronous delivery. */
export const deliveryMutants: readonly Mutant[] = [
  {
    id: 'method-put',
    defect: 'Deliveries are PUT requests.',
    file: 'server-reference/dist/platform/sender/target/target.js',
    find: "method: 'POST'",
    replace: "method: 'PUT'",
    fails: ['sender.header.method'],
  },
  {
    id: 'content-type-text',
    defect: 'Deliveries are declared as plain text.',
    file: HEADERS,
    find: "'content-type': 'application/json'",
    replace: "'content-type': 'text/plain'",
    fails: ['sender.header.content-type'],
  },
  {
    id: 'webhook-id-differs',
    defect: 'webhook-id is not the id in the body.',
    file: HEADERS,
    find: '[SIGNATURE_HEADERS.id]: message.id,',
    replace: "[SIGNATURE_HEADERS.id]: message.id + 'x',",
    fails: ['sender.header.id-equals-body', ...SIGNATURE_WRONG],
  },
  {
    id: 'timestamp-in-milliseconds',
    defect: 'webhook-timestamp is in milliseconds.',
    file: 'server-reference/dist/platform/sender/attempt.js',
    find: 'Math.floor(now / 1000)',
    replace: 'now',
    fails: [
      'sender.header.timestamp-seconds',
      'sender.header.timestamp-current',
      'sender.retry.fresh-timestamp',
    ],
  },
  {
    id: 'timestamp-an-hour-late',
    defect: 'webhook-timestamp is an hour behind.',
    file: 'server-reference/dist/platform/sender/attempt.js',
    find: 'Math.floor(now / 1000)',
    replace: 'Math.floor(now / 1000) - 3600',
    fails: ['sender.header.timestamp-current', 'sender.retry.fresh-timestamp'],
  },
  {
    id: 'timestamp-of-first-attempt',
    defect: 'A retry has the timestamp of the first attempt.',
    file: 'server-reference/dist/platform/sender/attempt.js',
    find: 'Math.floor(now / 1000)',
    replace: 'Math.floor(Date.parse(order.delivery.createdAt) / 1000)',
    fails: ['sender.retry.fresh-timestamp'],
  },
  {
    id: 'signature-in-base64',
    defect: 'The digest is in base64.',
    file: 'server-reference/dist/platform/sender/headers.js',
    find: ".digest('hex')",
    replace: ".digest('base64')",
    fails: ['sender.header.signature-format', ...SIGNATURE_WRONG],
  },
  {
    id: 'signature-prefix-sha256',
    defect: 'The signature begins with sha256=.',
    file: 'server-reference/dist/platform/sender/headers.js',
    find: 'return SIGNATURE_PREFIX + digest;',
    replace: "return 'sha256=' + digest;",
    fails: ['sender.header.signature-format', ...SIGNATURE_WRONG],
  },
  {
    id: 'signature-over-reserialised-json',
    defect: 'The signature is computed over the body reserialized with blanks.',
    file: 'server-reference/dist/platform/sender/headers.js',
    find: '.update(payload)',
    replace: '.update(JSON.stringify(JSON.parse(payload), null, 1))',
    fails: SIGNATURE_WRONG,
  },
  {
    id: 'signature-without-id',
    defect: 'The id is not signed.',
    file: 'server-reference/dist/platform/sender/headers.js',
    find: '.update(`${id}.${timestamp}.`)',
    replace: '.update(`${timestamp}.`)',
    fails: SIGNATURE_WRONG,
  },
  {
    id: 'secret-prefix-missing',
    defect: 'Secrets have no prefix whsec_.',
    file: 'server-reference/dist/lab/control/endpoints.js',
    find: 'nextId(state, SECRET_PREFIX)',
    replace: "nextId(state, '')",
    fails: ['sender.secret.prefix'],
  },
  {
    id: 'user-agent-empty',
    defect: 'The user-agent is empty.',
    file: HEADERS,
    find: "'user-agent': USER_AGENT",
    replace: "'user-agent': ''",
    fails: ['sender.header.user-agent'],
  },
  {
    id: 'custom-headers-missing',
    defect: 'Headers configured for the endpoint are not sent.',
    file: HEADERS,
    find: '        ...custom,\n',
    replace: '',
    fails: ['sender.header.custom'],
  },
  {
    id: 'moves-wait-for-deliveries',
    defect:
      'The creation and each status change of a run wait for the first attempt of their events.',
    file: 'server-reference/dist/platform/runs/change-run.js',
    find: 'sender.enqueue(deliveries);',
    replace:
      'sender.enqueue(deliveries);\n    await new Promise((resolve) => {\n        const look = () => deliveries.every(({ attempts }) => attempts.length > 0) && resolve();\n        sender.subscribe(look);\n        look();\n    });',
    fails: ['sender.asynchronous'],
  },
];

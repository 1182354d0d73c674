import type { RuleMutant } from './rule-mutant.ts';

const SENDER = 'server-reference/dist/sender';
const ATTEMPT = `${SENDER}/attempt.js`;
const MAKE = `${SENDER}/make-attempt.js`;
const OUTBOX = `${SENDER}/outbox.js`;

/** What one attempt may take, how many there are at once, and what silence means to them. */
export const attemptRuleMutants: readonly RuleMutant[] = [
  {
    id: 'deadline-of-nine-seconds',
    defect: 'The deadline is a second shorter.',
    file: MAKE,
    find: 'ATTEMPT_DEADLINE_MILLISECONDS = 10_000',
    replace: 'ATTEMPT_DEADLINE_MILLISECONDS = 9_000',
    breaks: [
      'deadline.body',
      'deadline.connecting',
      'deadline.in-time',
      'deadline.no-answer',
      'pathology.slow-drip-deadline',
      'sink.hang',
    ],
  },
  {
    id: 'deadline-from-the-connection',
    defect: 'The deadline does not hold while the connection is being established.',
    file: ATTEMPT,
    find: 'cutOff = (error) => {',
    replace:
      "cutOff = (error) => {\n            if (error === 'timeout' && request.socket?.connecting !== false)\n                return;",
    breaks: ['deadline.connecting'],
  },
  {
    id: 'deadline-prolonged-by-the-head',
    defect: 'The head of an answer begins the deadline anew.',
    file: ATTEMPT,
    find: 'cutOff = (error) => {',
    replace:
      "let prolonged = false;\n        cutOff = (error) => {\n            if (error === 'timeout' && request.res && !prolonged) {\n                prolonged = true;\n                clock.setTimeout(() => cutOff('timeout'), 10_000);\n                return;\n            }",
    breaks: ['deadline.body'],
  },
  {
    id: 'capture-of-64-kibibytes',
    defect: 'Of an answer 64 KiB are kept.',
    file: ATTEMPT,
    find: 'RESPONSE_CAPTURE_BYTES = 4_096',
    replace: 'RESPONSE_CAPTURE_BYTES = 65_536',
    breaks: ['answer.capture', 'answer.endless'],
  },
  {
    id: 'answer-read-to-its-end',
    defect: 'An answer counts only when its body has ended.',
    file: ATTEMPT,
    find: 'finish();\n        response.destroy();',
    replace: '',
    breaks: ['answer.endless'],
  },
  {
    id: 'interim-answers-without-bound',
    defect: 'Any number of interim answers is passed over.',
    file: ATTEMPT,
    find: 'MOST_INTERIM_ANSWERS = 16',
    replace: 'MOST_INTERIM_ANSWERS = 1_000',
    breaks: ['answer.interim'],
  },
  {
    id: 'upgrade-not-understood',
    defect: 'A switch of protocols is a network failure.',
    file: ATTEMPT,
    find: "request.on('upgrade'",
    replace: "request.on('no-upgrade'",
    breaks: ['answer.upgrade'],
  },
  {
    id: 'parser-errors-unnamed',
    defect: 'What the parser says of an answer is not told apart from other failures.',
    file: `${SENDER}/attempt-result.js`,
    find: "'code' in error ? String(error.code)",
    replace: "'code' in error && error.syscall ? String(error.code)",
    breaks: ['answer.cut-off', 'answer.no-http', 'target.when-sent'],
  },
  {
    id: 'half-an-answer-counts',
    defect: 'An answer whose body breaks off counts.',
    file: ATTEMPT,
    find: "response.on('error', (error) => settle(failed(error)));",
    replace: "response.on('error', finish);",
    breaks: ['answer.cut-off'],
  },
  {
    id: 'half-the-places',
    defect: 'Half as many attempts are under way at once.',
    file: `${SENDER}/sender.js`,
    find: 'MOST_ATTEMPTS = 256',
    replace: 'MOST_ATTEMPTS = 128',
    breaks: ['crowd.all', 'crowd.one-endpoint', 'silence.due'],
  },
  {
    id: 'places-without-bound',
    defect: 'Any number of attempts may be under way.',
    file: OUTBOX,
    find: 'this.#attempts += 1;',
    replace: '',
    breaks: ['crowd.all', 'crowd.one-endpoint', 'silence.due'],
  },
  {
    id: 'no-bound-for-one-endpoint',
    defect: 'One endpoint may have all places.',
    file: `${SENDER}/sender.js`,
    find: 'SHARE_OF_FREE_PLACES = 1 / 16',
    replace: 'SHARE_OF_FREE_PLACES = 1',
    breaks: ['crowd.one-endpoint', 'silence.due'],
  },
  {
    id: 'queue-held-up',
    defect: 'Whoever has no room holds up those behind.',
    file: OUTBOX,
    find: '>= room)\n                continue;',
    replace: '>= room)\n                return undefined;',
    breaks: ['crowd.hung-endpoint'],
  },
  ...(
    [
      [
        'waiting',
        'delivery.attempts.length > 0',
        'wait for a retry',
        ['silence.deleted', 'silence.waiting'],
      ],
      [
        'due',
        'delivery.attempts.length === 0 && delivery.nextAttemptAt === delivery.createdAt',
        'are due or under way for the first time',
        ['silence.due', 'silence.manual', 'silence.under-way'],
      ],
      [
        'held',
        'delivery.attempts.length === 0 && delivery.nextAttemptAt !== delivery.createdAt',
        'a pathology holds back',
        ['silence.held'],
      ],
    ] as const
  ).map(([which, condition, those, breaks]) => ({
    id: `silence-spares-${which}`,
    defect: `Silencing an endpoint does not end deliveries that ${those}.`,
    file: `${SENDER}/silence-endpoint.js`,
    find: "|| delivery.status !== 'pending')",
    replace: `|| delivery.status !== 'pending' || (${condition}))`,
    breaks,
  })),
  {
    id: 'silence-spares-redeliveries',
    defect: 'A redelivery that waits is made although the endpoint was silenced.',
    file: `${SENDER}/silence-endpoint.js`,
    find: 'delivery.manualRequests = [];',
    replace: '',
    breaks: ['silence.manual'],
  },
  {
    id: 'silence-spares-copies',
    defect: 'Copies are made although the endpoint was silenced.',
    file: `${SENDER}/sender.js`,
    find: 'copies.forget(endpointId);',
    replace: '',
    breaks: ['silence.copies'],
  },
  {
    id: 'deletion-spares-deliveries',
    defect: 'Deleting an endpoint leaves its deliveries pending.',
    file: 'server-reference/dist/control/endpoint-routes.js',
    find: "silenceEndpoint(state, id, 'endpoint_deleted');",
    replace: '',
    breaks: ['silence.deleted'],
  },
  {
    id: 'success-after-silence-lost',
    defect:
      'The success of an attempt that was under way when its endpoint fell silent does not count.',
    file: `${SENDER}/settle-attempt.js`,
    find: "if (decision.kind === 'delivered') {",
    replace: "if (decision.kind === 'delivered' && delivery.status === 'pending') {",
    breaks: ['silence.under-way'],
  },
  {
    id: 'retry-after-silence',
    defect: 'An attempt that was under way when its endpoint fell silent is tried again.',
    file: `${SENDER}/settle-attempt.js`,
    find: "else if (delivery.status === 'pending') {",
    replace:
      "else if (delivery.status === 'pending' || delivery.endReason === 'endpoint_disabled') {\n        delivery.status = 'pending';",
    breaks: ['silence.due', 'silence.manual', 'silence.under-way'],
  },
  {
    id: 'events-for-disabled-endpoints',
    defect: 'A disabled endpoint gets the events that happen meanwhile.',
    file: 'server-reference/dist/runs/emit-run-event.js',
    find: ' && endpoint.enabled)',
    replace: ')',
    breaks: ['silence.no-new'],
  },
  {
    id: 'never-enabled-again',
    defect: 'A change never enables an endpoint that is disabled.',
    file: 'server-reference/dist/control/endpoint-routes.js',
    find: 'Object.assign(found, body);',
    replace: 'Object.assign(found, body, found.enabled ? {} : { enabled: false });',
    breaks: ['silence.enabled-again'],
  },
  {
    id: 'silence-not-told',
    defect: 'A redelivery to an endpoint that is silent is accepted.',
    file: 'server-reference/dist/control/endpoint-routes.js',
    find: 'if (endpoint?.enabled === true)',
    replace: 'if (endpoint !== undefined)',
    breaks: ['silence.refused'],
  },
];

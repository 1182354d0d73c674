import type { RuleMutant } from './rule-mutant.ts';

const PATHOLOGIES = 'server-reference/dist/pathologies';
const SENDER = 'server-reference/dist/sender';
const AFFLICT = `${PATHOLOGIES}/afflict.js`;
const HELD = `${PATHOLOGIES}/held-deliveries.js`;
const SENDING = `${SENDER}/sender.js`;
const BODY = `${SENDER}/send-body.js`;
const ATTEMPT = `${SENDER}/attempt.js`;
const SETTLE = `${SENDER}/settle-attempt.js`;

/** What a pathology does to a delivery. */
export const pathologyRuleMutants: readonly RuleMutant[] = [
  {
    id: 'one-copy',
    defect: 'duplicate makes one copy, however many were ordered.',
    file: SENDING,
    find: 'number <= struck.copies',
    replace: 'number <= 1',
    breaks: ['pathology.duplicate', 'pathology.duplicate-apart'],
  },
  {
    id: 'copies-at-once',
    defect: 'The copies of duplicate all come after the first interval.',
    file: SENDING,
    find: 'number * struck.apartMilliseconds',
    replace: 'struck.apartMilliseconds',
    breaks: ['pathology.duplicate-apart'],
  },
  {
    id: 'copy-as-automatic',
    defect: 'A copy is recorded as an automatic attempt.',
    file: SETTLE,
    find: "trigger: isCopy ? 'copy' : asked,",
    replace: 'trigger: asked,',
    breaks: ['pathology.duplicate'],
  },
  {
    id: 'copy-never-counts',
    defect: 'A copy that is taken delivers nothing.',
    file: SETTLE,
    find: "if (isCopy && decision.kind !== 'delivered')",
    replace: 'if (isCopy)',
    breaks: ['pathology.copy-counts'],
  },
  {
    id: 'copy-ends-delivery',
    defect: 'A copy that is refused ends the delivery.',
    file: SETTLE,
    find: "if (isCopy && decision.kind !== 'delivered')",
    replace: "if (isCopy && decision.kind === 'retry')",
    breaks: ['pathology.copy-refused'],
  },
  {
    id: 'delay-doubled',
    defect: 'delay holds a delivery twice as long.',
    file: HELD,
    find: 'now() + planted.milliseconds',
    replace: 'now() + 2 * planted.milliseconds',
    breaks: [
      'clock.by-due-time',
      'clock.same-moment',
      'clock.waits-for-answers',
      'pathology.delay',
    ],
  },
  {
    id: 'delay-unnamed',
    defect: 'What delay or reorder held back is sent as if nothing had befallen it.',
    file: HELD,
    find: 'return wasAskedFor ? null : hold.planted;',
    replace: 'return null;',
    breaks: ['pathology.delay'],
  },
  {
    id: 'drop-sent',
    defect: 'drop-then-redeliver sends the event.',
    file: `${SENDER}/make-attempt.js`,
    find: "pathology?.name === 'drop-then-redeliver'",
    replace: 'false',
    breaks: ['pathology.drop', 'sink.never-arrived'],
  },
  {
    id: 'drop-dated',
    defect: 'The row of an attempt that was dropped has a timestamp.',
    file: `${SENDER}/attempt-result.js`,
    find: ' || error === DROPPED',
    replace: '',
    breaks: ['pathology.drop'],
  },
  {
    id: 'stale-is-future',
    defect: 'stale-timestamp dates the event ahead.',
    file: AFFLICT,
    find: 'message.timestamp - affliction.seconds',
    replace: 'message.timestamp + affliction.seconds',
    breaks: ['pathology.stale-timestamp'],
  },
  {
    id: 'future-is-soon',
    defect: 'future-timestamp dates the event ten minutes ahead, whatever was ordered.',
    file: AFFLICT,
    find: 'message.timestamp + affliction.seconds',
    replace: 'message.timestamp + 600',
    breaks: ['pathology.future-timestamp'],
  },
  {
    id: 'date-not-signed',
    defect: 'A wrong timestamp is not the one that is signed.',
    file: AFFLICT,
    find: 'sign(secret, message),',
    replace: 'sign(secret, secret.length > 70 ? message : honest.message),',
    breaks: ['pathology.future-timestamp', 'pathology.stale-timestamp'],
  },
  {
    id: 'wrong-secret-is-right',
    defect: 'wrong-secret signs with the secret of the endpoint.',
    file: AFFLICT,
    find: "createHash('sha256').update(secret).digest('hex')",
    replace: 'secret.slice(SECRET_PREFIX.length)',
    breaks: ['pathology.wrong-secret'],
  },
  {
    id: 'tampered-body-signed',
    defect: 'tampered-body signs what it has changed.',
    file: AFFLICT,
    find: 'return { ...honest, body: tamper(body) };',
    replace:
      'return { ...signed(honest, secret, { ...message, payload: tamper(body) }), body: tamper(body) };',
    breaks: ['pathology.tampered-body'],
  },
  {
    id: 'tampered-body-no-json',
    defect: 'tampered-body changes the first byte, so that the body is no JSON.',
    file: AFFLICT,
    find: 'tampered[last] = tampered[last] === ZERO ? ONE : ZERO;',
    replace: 'tampered[0] = ZERO;',
    breaks: ['pathology.tampered-body'],
  },
  {
    id: 'truncated-length-honest',
    defect: 'truncated-body declares the bytes that it sends.',
    file: AFFLICT,
    find: "return { ...honest, pace: { kind: 'cut', afterBytes } };",
    replace:
      "return { ...honest, headers: { ...honest.headers, 'content-length': String(afterBytes) }, pace: { kind: 'cut', afterBytes } };",
    breaks: ['pathology.truncated-after', 'pathology.truncated-body', 'sink.cut-off'],
  },
  {
    id: 'truncated-by-one',
    defect: 'truncated-body leaves out the last byte alone.',
    file: AFFLICT,
    find: 'Math.floor(byteLength / 2)',
    replace: 'byteLength - 1',
    breaks: ['pathology.truncated-body'],
  },
  {
    id: 'truncated-whole',
    defect: 'truncated-body sends the whole body when so much was ordered.',
    file: AFFLICT,
    find: 'byteLength - 1);',
    replace: 'byteLength);',
    breaks: ['pathology.truncated-after'],
  },
  {
    id: 'truncated-is-final',
    defect: 'An attempt whose body was cut ends delivery.',
    file: SETTLE,
    find: 'const decision = retryDecision(result.outcome);',
    replace:
      "const decision = result.error === 'body_truncated' ? { kind: 'end', reason: 'final_status' } : retryDecision(result.outcome);",
    breaks: ['pathology.truncated-body', 'sink.cut-off'],
  },
  {
    id: 'truncated-unnamed',
    defect: 'An attempt whose body was cut is a reset like any other.',
    file: ATTEMPT,
    find: "BODY_TRUNCATED = 'body_truncated'",
    replace: "BODY_TRUNCATED = 'ECONNRESET'",
    breaks: ['pathology.truncated-body'],
  },
  {
    id: 'drip-in-half-the-time',
    defect: 'slow-drip takes half of the time.',
    file: BODY,
    find: '(pieces - 1));',
    replace: '(2 * (pieces - 1)));',
    breaks: ['pathology.slow-drip'],
  },
  {
    id: 'drip-loses-a-byte',
    defect: 'slow-drip changes the last piece.',
    file: BODY,
    find: 'request.end(piece);',
    replace: 'request.end(Buffer.alloc(piece.length, 0x20));',
    breaks: ['pathology.slow-drip'],
  },
  {
    id: 'drip-prolongs-the-deadline',
    defect: 'While the body drips the deadline does not hold.',
    file: `${SENDER}/make-attempt.js`,
    find: "posting.cutOff('timeout');",
    replace:
      "if (pathology?.name === 'slow-drip')\n            return done;\n        posting.cutOff('timeout');",
    breaks: ['pathology.slow-drip-deadline'],
  },
];

import type { Mutant } from './mutant.ts';

const VERIFIER = 'receiver/dist/verify/verifier.js';
const HEADERS = 'receiver/dist/verify/headers.js';
const FORMS = 'receiver/dist/verify/header-forms.js';
const OPTIONS = 'receiver/dist/verify/verifier-options.js';
const RECEIVE = 'receiver/dist/receive/ingress.js';
const TOLERANCE = 'if (Math.abs(age) <= toleranceSeconds)';
const MAC = 'mac(headers.head, rawBody)';
const READ_TIMESTAMP = `    if (!HEADER_FORMS.timestamp[0].test(timestamp)) {
        throw headerError('timestamp', timestamp);
    }
    const signature = present('signature', found.signature);
    if (!readDigest(signature, digest))
        throw headerError('signature', signature);
    return new CheckedHeaders(id, timestamp, signature);`;
const STALE = ['receiver.timestamp.beyond-tolerance-past', 'receiver.signature.timestamp-stale'];
const FUTURE = [
  'receiver.timestamp.beyond-tolerance-future',
  'receiver.signature.timestamp-future',
];

/** Defects of the receiver, run in the example consumer. */
export const receiverMutants: readonly Mutant[] = [
  {
    id: 'stale-accepted',
    defect: 'A timestamp of any age is accepted.',
    file: OPTIONS,
    find: TOLERANCE,
    replace: 'if (-age <= toleranceSeconds)',
    fails: STALE,
  },
  {
    id: 'future-accepted',
    defect: 'Any timestamp in the future is accepted.',
    file: OPTIONS,
    find: TOLERANCE,
    replace: 'if (age <= toleranceSeconds)',
    fails: FUTURE,
  },
  {
    id: 'tolerance-330',
    defect: 'The tolerance is 330 seconds.',
    file: OPTIONS,
    find: TOLERANCE,
    replace: 'if (Math.abs(age) <= 330)',
    fails: [...STALE, ...FUTURE],
  },
  {
    id: 'tolerance-240',
    defect: 'The tolerance is 240 seconds.',
    file: OPTIONS,
    find: TOLERANCE,
    replace: 'if (Math.abs(age) <= 240)',
    fails: ['receiver.timestamp.within-tolerance'],
  },
  {
    id: 'timestamp-by-parse-int',
    defect: 'The timestamp is read with parseInt.',
    file: HEADERS,
    find: READ_TIMESTAMP,
    replace: `    const signature = present('signature', found.signature);
    if (!readDigest(signature, digest))
        throw headerError('signature', signature);
    const headers = new CheckedHeaders(id, timestamp, signature);
    headers.timestamp = Number.parseInt(timestamp, 10);
    return headers;`,
    fails: ['receiver.signature.timestamp-malformed', 'receiver.signature.timestamp-strict'],
  },
  {
    id: 'timestamp-with-leading-zeros',
    defect: 'A timestamp with leading zeros is accepted.',
    file: FORMS,
    find: '(?:0|[1-9]\\d{0,11})',
    replace: '\\d{1,12}',
    fails: ['receiver.signature.timestamp-strict'],
    outcome: 'conformant',
  },
  {
    id: 'digest-longer-accepted',
    defect: 'Characters after the 64th digit of the digest are ignored.',
    file: HEADERS,
    find: 'signature.length !== SIGNATURE_LENGTH',
    replace: 'signature.length < SIGNATURE_LENGTH',
    fails: [
      'receiver.signature.digest-length',
      'receiver.signature.digest-not-hex',
      'receiver.signature.header-malformed',
    ],
  },
  {
    id: 'prefix-not-checked',
    defect: 'Any three characters are accepted in place of the prefix v1,.',
    file: HEADERS,
    find: "!signature.startsWith('v1,')",
    replace: 'false',
    fails: ['receiver.signature.header-malformed'],
  },
  {
    id: 'half-of-digest-compared',
    defect: 'Only the first half of the digest is compared.',
    file: VERIFIER,
    find: 'timingSafeEqual(computed, received)',
    replace: 'timingSafeEqual(computed.subarray(0, 16), received.subarray(0, 16))',
    fails: ['receiver.signature.digest-wrong'],
  },
  {
    id: 'digest-not-compared',
    defect: 'Any well-formed digest is accepted.',
    file: OPTIONS,
    find: 'if (secretIndex < 0) {',
    replace: 'if (secretIndex < -1) {',
    fails: ['digest-wrong', 'id-altered', 'timestamp-altered', 'body-tampered'].map(
      (name) => `receiver.signature.${name}`,
    ),
  },
  {
    id: 'missing-header-accepted',
    defect: 'A delivery without one of the headers is accepted unverified.',
    file: RECEIVE,
    find: 'return this.#refuseUnread(body, this.#refusalCode(error, now));',
    replace:
      "if (error.code === 'header_missing')\n                return { code: 'accepted', eventId: null, secretIndex: null };\n            return this.#refuseUnread(body, this.#refusalCode(error, now));",
    fails: ['receiver.signature.header-missing'],
  },
  {
    id: 'last-repeated-header-wins',
    defect: 'The last value of a repeated header is used.',
    file: HEADERS,
    find: 'throw headerError(part, found[part], value);',
    replace: 'found[part] = undefined;',
    fails: ['receiver.signature.header-strict'],
    outcome: 'conformant',
  },
  {
    id: 'header-names-in-lower-case-only',
    defect: 'Header names are recognised in lower case only.',
    file: HEADERS,
    find: 'partNamed(name) ?? (NAME.test(name) ? partNamed(name.toLowerCase()) : undefined)',
    replace: 'partNamed(name)',
    fails: ['receiver.signature.valid', 'receiver.signature.header-strict'],
  },
  {
    id: 'timestamp-of-the-second-before',
    defect: 'A signature made for the second before is accepted too.',
    file: VERIFIER,
    find: 'timingSafeEqual(computed, received) &&',
    replace:
      "(timingSafeEqual(computed, received) || timingSafeEqual(Buffer.from(mac(`${headers.id}.${headers.timestamp - 1}.`, rawBody), 'latin1'), received)) &&",
    fails: ['receiver.signature.timestamp-altered'],
  },
  {
    id: 'parsed-json-verified',
    defect: 'The signature is verified over the body parsed and serialised again.',
    file: VERIFIER,
    find: MAC,
    replace:
      'mac(headers.head, Buffer.from(JSON.stringify(JSON.parse(Buffer.from(rawBody).toString()))))',
    fails: ['receiver.signature.raw-bytes', 'receiver.signature.body-tampered'],
  },
  {
    id: 'decoded-text-verified',
    defect: 'The signature is verified over the body after decoding and encoding it.',
    file: VERIFIER,
    find: MAC,
    replace: 'mac(headers.head, Buffer.from(new TextDecoder().decode(rawBody)))',
    fails: ['receiver.signature.body-tampered'],
  },
  {
    id: 'trimmed-body-verified',
    defect: 'The signature is verified over the body without surrounding whitespace.',
    file: VERIFIER,
    find: MAC,
    replace:
      "mac(headers.head, Buffer.from(Buffer.from(rawBody).toString('latin1').trim(), 'latin1'))",
    fails: ['receiver.signature.raw-bytes', 'receiver.signature.body-tampered'],
  },
  {
    id: 'duplicate-409',
    defect: 'A duplicate gets 409.',
    file: 'receiver/dist/receive/responses.js',
    find: 'duplicate: 200,',
    replace: 'duplicate: 409,',
    fails: ['receiver.duplicate.acknowledged', 'receiver.duplicate.at-the-same-moment'],
  },
  {
    id: 'simultaneous-duplicate-503',
    defect: 'A duplicate of an event that is being accepted gets 503.',
    file: RECEIVE,
    find: 'const outcome = await this.#sink.put(event);',
    replace:
      "const busy = (globalThis.busy ??= new Set());\n            if (busy.has(eventId))\n                throw new Error('busy');\n            busy.add(eventId);\n            await new Promise((resolve) => setTimeout(resolve, 50));\n            busy.delete(eventId);\n            const outcome = await this.#sink.put(event);",
    fails: ['receiver.duplicate.at-the-same-moment'],
  },
  {
    id: 'handled-twice',
    defect: 'Every event is handled twice.',
    file: 'receiver/dist/worker/handle-event.js',
    find: 'of calls.entries()',
    replace: 'of [...calls, ...calls].entries()',
    fails: ['receiver.duplicate.single-effect', 'receiver.duplicate.out-of-order'],
  },
  {
    id: 'handled-as-they-arrive',
    defect: 'The events of a run are handled in the order in which they arrived.',
    file: 'receiver/dist/worker/next-event.js',
    find: "settings.mode === 'live'",
    replace: "settings.mode !== 'none'",
    fails: ['receiver.order.not-by-arrival'],
  },
  {
    id: 'test-events-handled',
    defect: 'A test event is handled like a run event.',
    file: 'receiver/dist/worker/plan-calls.js',
    find: 'if (received.test) {',
    replace: "if (received.test && received.type === 'unknown') {",
    fails: ['receiver.test-event.not-real'],
  },
  {
    id: 'test-event-of-a-move-refused',
    defect: 'A test event of type run.status_changed gets 500.',
    file: RECEIVE,
    find: 'const { content, error } = decodeContent(bytes, id);',
    replace:
      'if (/"type":"run.status_changed".*"test":true/.test(Buffer.from(bytes).toString()))\n                throw new Error(\'no such test event\');\n            const { content, error } = decodeContent(bytes, id);',
    fails: ['receiver.signature.valid', 'receiver.test-event.acknowledged'],
  },
];

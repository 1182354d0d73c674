import type { CauseTable } from './diagnosis.ts';

const ORDER = [
  'Events are applied in the order of their arrival.',
  'Order the events of a run by their content (createdAt, previousStatus), and ignore or sort late ones.',
] as const;
const STRICT = [
  'The header is read leniently: trimmed, split, or with its first value only.',
  'Refuse a repeated header and every form but the documented one, before the signature is computed.',
] as const;

/** Likely causes on the receiver side. */
export const RECEIVER_CAUSES: CauseTable = {
  signature: [
    'The receiver does not verify the delivery as documented, or does not use the result.',
    'Verify id, timestamp and raw body before anything else, and respond with a 4xx when it fails.',
  ],
  'signature.message': [
    'The digest is computed over a part of the message, or compared so that any digest passes.',
    'Compute HMAC-SHA256 over <webhook-id>.<webhook-timestamp>.<raw body> and compare it in constant time.',
  ],
  'signature.message.verified': [
    'The receiver accepts other valid deliveries, but not one whose headers are written in this way.',
    'Look up header names in any case and any order, and verify their values as received.',
  ],
  'signature.message.other-id': [
    'webhook-id is not a part of the text that is verified.',
    'Verify <webhook-id>.<webhook-timestamp>.<raw body>.',
  ],
  'signature.message.other-timestamp': [
    'webhook-timestamp is not a part of the text that is verified.',
    'Verify <webhook-id>.<webhook-timestamp>.<raw body>.',
  ],
  'signature.message.other-body': [
    'The body is parsed and serialized before it is verified, so that some changes of its bytes are lost.',
    'Keep the raw bytes of the request, and verify these.',
  ],
  'signature.message.other-secret': [
    'The result of the comparison is not used, or only a part of the digest is compared.',
    'Compare all 32 bytes in constant time, and respond with a 4xx when they differ.',
  ],
  'signature.raw-bytes': [
    'The signature is verified over re-serialized JSON instead of the raw body.',
    'Read the raw body before a JSON parser does (express.raw, request.text()), verify it, and parse it afterwards.',
  ],
  'signature.header': STRICT,
  'signature.header.missing': [
    'A missing header skips the verification, or counts as an empty text.',
    'Refuse a delivery without webhook-id, webhook-timestamp or webhook-signature.',
  ],
  'signature.header.malformed': STRICT,
  'signature.digest': [
    'Digests are decoded or compared by their common length, so that a wrong length or digit passes.',
    'Accept exactly 64 hex digits after v1, before comparing.',
  ],
  'signature.timestamp': [
    'The age of the timestamp is not compared with the current time, or in one direction only.',
    'Refuse timestamps more than 300 s before or after the current time.',
  ],
  'signature.timestamp.within-tolerance': [
    'The tolerance is below 300 s, or the clock of the receiver is wrong.',
    'Accept timestamps up to 300 s from now, and synchronize the clock.',
  ],
  'signature.timestamp.malformed': [
    'The timestamp is parsed leniently, and a comparison with NaN is always false.',
    'Accept decimal digits only, before parsing.',
  ],
  'signature.timestamp.strict': [
    'The timestamp is parsed with Number or parseInt, which take signs, spaces, fractions or exponents.',
    'Accept decimal digits only, before parsing.',
  ],
  'signature.timestamp.too-old': [
    'The age of the timestamp is not checked, or with a larger tolerance.',
    'Refuse timestamps more than 300 s in the past.',
  ],
  'signature.timestamp.too-new': [
    'Only old timestamps are refused: the difference is compared without its absolute value.',
    'Refuse timestamps more than 300 s in the future.',
  ],
  'receiver.valid': [
    'The receiver accepts other valid deliveries, but refuses this event, or its handler fails for it.',
    'Respond with a 2xx once the event is stored, and handle it afterwards.',
  ],
  'receiver.refused': [
    'The handler starts before the delivery is verified, or goes on after the refusal.',
    'Verify the delivery before anything else, and return when that fails.',
  ],
  'receiver.duplicate': [
    'Each delivery is handled, and nothing remembers the ids of events.',
    'Insert webhook-id under a unique constraint in the transaction of the effect, and skip known ids.',
  ],
  'receiver.duplicate.acknowledged': [
    'A repeated event fails, for example on a unique constraint, and the failure becomes an error status.',
    'Respond with a 2xx to an event that is already known or in progress.',
  ],
  'receiver.test-event': [
    'Test events are handled like real ones, or refused.',
    'Verify them like real ones, respond with a 2xx, and skip the effect when test is true.',
  ],
  'receiver.order': ORDER,
  'receiver.answers-quickly': [
    'The handler finishes its work before it responds.',
    'Store the event, respond with a 2xx, and work in the background.',
  ],
  'webhook-event': [
    'The receiver refuses an event that it does not handle.',
    'Respond with a 2xx to types and versions that you ignore.',
  ],
  'webhook-envelope': [
    'The receiver validates the event more strictly than the contract allows it to change.',
    'Ignore members that you do not know.',
  ],
  'webhook-run': [
    'The receiver expects members of the run that may be null or absent.',
    'Treat null and absent members alike, and read an omitted output through the API.',
  ],
  versioning: [
    'The receiver refuses events whose version or members it does not know.',
    'Ignore unknown members, and respond with a 2xx to events that you do not handle.',
  ],
  states: ORDER,
  delivery: [
    'The receiver depends on the first attempt of a delivery.',
    'Expect repeated and late deliveries, and respond with a 2xx to known events.',
  ],
};

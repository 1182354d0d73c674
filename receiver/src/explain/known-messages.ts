import type { Mistake } from './mistake.ts';

/** A signed message that differs from `<id>.<timestamp>.<body>`. */
export interface KnownMessage extends Mistake {
  readonly message: Uint8Array;
}

/** A signer that reads the clock twice is off by a second, rarely by more. */
const OFFSETS = [-3, -2, -1, 1, 2, 3];
const FIX = 'Sign and verify <webhook-id>.<webhook-timestamp>.<body>.';

/** What is signed by mistake: how messages call it, and what comes before the body. */
type Signing = readonly [cause: Mistake['cause'], form: string, head: string, end?: Uint8Array];

/** Returns the messages that known mistakes sign. */
export function messagesMade(
  fix: string,
  body: Uint8Array,
  signings: readonly Signing[],
): readonly KnownMessage[] {
  return signings.map(([cause, form, head, end = body]) => ({
    cause,
    evidence: `The signature matches the message ${form}.`,
    fix,
    message: Buffer.concat([Buffer.from(head), end]),
  }));
}

/** Returns the messages that known mistakes sign in place of `<id>.<timestamp>.<body>`. */
export function knownMessages(
  id: string,
  timestamp: number,
  body: Uint8Array,
): readonly KnownMessage[] {
  const none = new Uint8Array();
  return messagesMade(FIX, body, [
    ['message_parts_swapped', '<timestamp>.<id>.<body>', `${timestamp}.${id}.`],
    ['message_without_id', '<timestamp>.<body>', `${timestamp}.`],
    ['message_without_timestamp', '<id>.<body>', `${id}.`],
    ['message_is_body_alone', '<body>', ''],
    ['message_in_milliseconds', '<id>.<milliseconds>.<body>', `${id}.${timestamp}000.`],
    ...OFFSETS.map((seconds): Signing => [
      'message_other_time',
      `with a timestamp ${Math.abs(seconds)} s ${seconds < 0 ? 'before' : 'after'} the header`,
      `${id}.${timestamp + seconds}.`,
    ]),
    ['message_without_body', '<id>.<timestamp>.', `${id}.${timestamp}.`, none],
    ['message_without_body', '<id>.<timestamp>', `${id}.${timestamp}`, none],
    ['message_other_separator', '<id><timestamp><body>', `${id}${timestamp}`],
    ['message_other_separator', '<id>.<timestamp><body>', `${id}.${timestamp}`],
    ['message_other_separator', '<id>:<timestamp>:<body>', `${id}:${timestamp}:`],
    ['message_other_separator', '<id>,<timestamp>,<body>', `${id},${timestamp},`],
    ['message_other_separator', '<id>|<timestamp>|<body>', `${id}|${timestamp}|`],
    ['message_other_separator', '<id>\\n<timestamp>\\n<body>', `${id}\n${timestamp}\n`],
  ]);
}

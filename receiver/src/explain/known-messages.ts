import type { Mistake } from './mistake.ts';

/** A signed message that differs from `<id>.<timestamp>.<body>`. */
export interface KnownMessage extends Mistake {
  readonly message: Uint8Array;
}

/** A signer that reads the clock twice is off by a second, rarely by more. */
const OFFSETS = [-3, -2, -1, 1, 2, 3];
const FIX = 'Sign and verify <webhook-id>.<webhook-timestamp>.<body>.';

/** Returns the messages that known mistakes sign in place of `<id>.<timestamp>.<body>`. */
export function knownMessages(
  id: string,
  timestamp: number,
  body: Uint8Array,
): readonly KnownMessage[] {
  const known = (
    cause: Mistake['cause'],
    form: string,
    head: string,
    end = body,
  ): KnownMessage => ({
    cause,
    evidence: `The signature matches the message ${form}.`,
    fix: FIX,
    message: Buffer.concat([Buffer.from(head), end]),
  });
  const none = new Uint8Array();
  return [
    known('message_parts_swapped', '<timestamp>.<id>.<body>', `${timestamp}.${id}.`),
    known('message_without_id', '<timestamp>.<body>', `${timestamp}.`),
    known('message_without_timestamp', '<id>.<body>', `${id}.`),
    known('message_is_body_alone', '<body>', ''),
    known('message_in_milliseconds', '<id>.<milliseconds>.<body>', `${id}.${timestamp}000.`),
    ...OFFSETS.map((seconds) =>
      known(
        'message_other_time',
        `with a timestamp ${Math.abs(seconds)} s ${seconds < 0 ? 'before' : 'after'} the header`,
        `${id}.${timestamp + seconds}.`,
      ),
    ),
    known('message_without_body', '<id>.<timestamp>.', `${id}.${timestamp}.`, none),
    known('message_without_body', '<id>.<timestamp>', `${id}.${timestamp}`, none),
    known('message_other_separator', '<id><timestamp><body>', `${id}${timestamp}`),
    known('message_other_separator', '<id>.<timestamp><body>', `${id}.${timestamp}`),
    known('message_other_separator', '<id>:<timestamp>:<body>', `${id}:${timestamp}:`),
    known('message_other_separator', '<id>,<timestamp>,<body>', `${id},${timestamp},`),
    known('message_other_separator', '<id>|<timestamp>|<body>', `${id}|${timestamp}|`),
    known('message_other_separator', '<id>\\n<timestamp>\\n<body>', `${id}\n${timestamp}\n`),
  ];
}

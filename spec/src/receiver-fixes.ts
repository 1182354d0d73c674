/**
 * What to do when an app responds with a code of `@hookproof/receiver`. Has each code of a response that is not 2xx.
 *
 * @example
 * ```ts
 * import { RECEIVER_FIXES } from '@hookproof/spec/control';
 *
 * console.log(RECEIVER_FIXES.get('not_started')); // Call await receiver.start() before the app listens.
 * ```
 */
export const RECEIVER_FIXES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    body_aborted: 'Look for a proxy or a limit that closes connections before the end of the body.',
    body_already_read: 'Put the webhook route before any body parser (express.json()).',
    body_not_bytes:
      'Pass the unread request or its bytes to the receiver, not a text and not parsed JSON.',
    body_stalled: 'Look for a proxy that holds back the body of requests.',
    body_too_large: 'Raise bodyLimitBytes of the receiver, or the limit of a proxy before it.',
    closing: 'The app was shutting down. Start it again.',
    content_type_unsupported: 'Let no proxy change the content type: it must be application/json.',
    event_id_conflict:
      'The store of the app has another event with this id. A server that starts again with the same seed repeats its ids: empty that store, or use serve --data or another --seed.',
    header_missing: headers('drop'),
    header_repeated: headers('repeat'),
    id_malformed: headers('change'),
    method_not_allowed:
      'Set the URL of the endpoint to the final address: a redirect can turn POST into GET.',
    not_started: 'Call await receiver.start() before the app listens.',
    overloaded: 'Raise maxBufferedBytes of the receiver, or send less at once.',
    request_unexpected:
      'Pass the request itself to the adapter. The log of the app has the line to write, as request_unexpected.',
    receiver_failed: 'Look into the log of the app for receiver_failed: it has the error.',
    secret_rotating:
      'The signature fits none of the secrets, and rotationUntil is not over. Add the secret of the endpoint to the receiver.',
    secrets_unavailable:
      'The function that returns the secrets of the app fails. The log of the app has the error, as secrets_unavailable.',
    signature_malformed: headers('change'),
    signature_mismatch:
      'Set the secret of the app to that of this endpoint, and restart it. If it is right, a proxy or a parser changed the body: explainRefusals of the receiver says how.',
    store_unavailable:
      'Start the database of the app, and compare its address. The log of the app has the error, as store_unavailable.',
    timestamp_malformed: headers('change'),
    timestamp_too_new: clocks(),
    timestamp_too_old: clocks(),
  }),
);

function headers(change: string): string {
  return `Pass all headers of the request on unchanged: look for a proxy that can ${change} them.`;
}

function clocks(): string {
  return 'Compare the clock of the app with that of the server, which can be virtual.';
}

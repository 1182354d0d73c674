import { NoResponse } from '@hookproof/conformance';
import type { Incoming } from '@hookproof/conformance/hooks';
import { variant } from '@hookproof/conformance/proof/kit/defect';
import type { Variant } from '@hookproof/conformance/proof/kit/defect';
import { withBytes, withHeader } from '@hookproof/conformance/proof/kit/message';
import { onResponse } from '@hookproof/conformance/proof/kit/receiver';

const ACKNOWLEDGED = 'receiver.valid.acknowledged';
const REJECTION = 'signature.rejection-status';
const ACCEPTED = [200, 201, 202, 203, 204, 205, 206, 207, 226, 299];
const REFUSED = [
  302, 400, 402, 403, 404, 405, 406, 408, 409, 410, 418, 422, 425, 451, 500, 501, 502, 504, 599,
];
const BODIES = [
  ['accepts-with-an-empty-body', 'an empty body', 'text/plain', ''],
  ['accepts-with-a-page', 'an HTML page', 'text/html', '<!doctype html><title>ok</title>'],
  ['accepts-with-broken-json', 'malformed JSON', 'application/json', '{"ok":'],
  ['accepts-with-a-large-body', 'a large body', 'text/plain', 'ok '.repeat(40_000)],
  ['accepts-with-bytes', 'bytes', 'application/octet-stream', '\u0000\u0001\uFFFD'],
] as const;
const HEADERS = [
  ['set-cookie', 'session=1; Secure; HttpOnly'],
  ['retry-after', '120'],
  ['connection', 'close'],
  ['x-cache', 'Hit from a cache'],
  ['content-type', 'not a media type'],
] as const;

/** Receivers with other statuses, headers and bodies. */
export const statusVariants: readonly Variant[] = [
  ...ACCEPTED.map((status) =>
    variant({
      id: `accepts-with-${status}`,
      takes: ACKNOWLEDGED,
      does: `Responds ${status} to what it accepts.`,
      receiver: onResponse('accepted', (response) => ({ ...response, status })),
    }),
  ),
  ...BODIES.map(([id, what, type, body]) =>
    variant({
      id,
      takes: ACKNOWLEDGED,
      does: `Responds with ${what} to what it accepts.`,
      receiver: onResponse('accepted', (response) =>
        withBytes(withHeader(response, 'content-type', type), Buffer.from(body)),
      ),
    }),
  ),
  ...HEADERS.map(([name, value]) =>
    variant({
      id: `header-${name}`,
      takes: ACKNOWLEDGED,
      does: `Sends the header ${name}: ${value} in responses to what it accepts.`,
      receiver: onResponse('accepted', (response) => withHeader(response, name, value)),
    }),
  ),
  ...REFUSED.map((status) =>
    variant({
      id: `refuses-with-${status}`,
      takes: REJECTION,
      does: `Responds ${status} to what it refuses.`,
      receiver: onResponse(
        'refused',
        exceptForSize((response) => ({ ...response, status })),
      ),
    }),
  ),
  ...[429, 503].map((status) =>
    variant({
      id: `refuses-with-${status}`,
      takes: REJECTION,
      does: `Responds ${status} to what it refuses.`,
      receiver: onResponse(
        'refused',
        exceptForSize((response) => withHeader({ ...response, status }, 'retry-after', null)),
      ),
    }),
  ),
  variant({
    id: 'refuses-with-many-statuses',
    takes: REJECTION,
    does: 'Responds 400, 401 or 403 to what it refuses, by the length of the body.',
    receiver: onResponse('refused', (response, { body }) => {
      const status = [400, 401, 403][(body?.byteLength ?? 0) % 3] ?? 400;
      return response.status === 413 ? response : { ...response, status };
    }),
  }),
  variant({
    id: 'refuses-by-reset',
    takes: REJECTION,
    does: 'Closes the connection when it refuses a delivery.',
    receiver: onResponse('refused', () =>
      Promise.reject(new NoResponse('the connection was closed')),
    ),
  }),
];

/** What is too large gets its own status. */
function exceptForSize(change: (response: Incoming) => Incoming): (response: Incoming) => Incoming {
  return (response) => (response.status === 413 ? response : change(response));
}

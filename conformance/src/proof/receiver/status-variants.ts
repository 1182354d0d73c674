import type { Incoming } from '../../http/message.ts';
import { withBytes, withHeader } from '../edit.ts';
import type { Variant } from '../transformation.ts';
import { NoResponse } from '../../verdict/findings.ts';
import { responding } from './responding.ts';

const ACCEPTED = [200, 201, 202, 203, 204, 205, 206, 207, 226, 299];
const REFUSED = [
  302, 400, 402, 403, 404, 405, 406, 408, 409, 410, 418, 422, 425, 451, 500, 501, 502, 504, 599,
];
const BODIES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  'an-empty-body': ['text/plain', ''],
  'a-page': ['text/html', '<!doctype html><title>ok</title>'],
  'broken-json': ['application/json', '{"ok":'],
  'a-large-body': ['text/plain', 'ok '.repeat(40_000)],
  bytes: ['application/octet-stream', '\u0000\u0001\uFFFD'],
};

/** What is too large gets its own status. */
const exceptForSize =
  (change: (response: Incoming) => Incoming) =>
  (response: Incoming): Incoming =>
    response.status === 413 ? response : change(response);

/** Receivers with other statuses, headers and bodies. */
export const statusVariants: readonly Variant[] = [
  ...ACCEPTED.map((status) =>
    responding({
      id: `accepts-with-${status}`,
      does: `Responds ${status} to what it accepts.`,
      takes: 'receiver.valid.acknowledged',
      accepted: (response) => ({ ...response, status }),
    }),
  ),
  ...Object.entries(BODIES).map(([name, [type, body]]) =>
    responding({
      id: `accepts-with-${name}`,
      does: `Responds to what it accepts with ${name.replaceAll('-', ' ')}.`,
      takes: 'receiver.valid.acknowledged',
      accepted: (response) =>
        withBytes(withHeader(response, 'content-type', type), Buffer.from(body)),
    }),
  ),
  ...REFUSED.map((status) =>
    responding({
      id: `refuses-with-${status}`,
      does: `Responds ${status} to what it refuses.`,
      takes: 'signature.rejection-status',
      refused: exceptForSize((response) => ({ ...response, status })),
    }),
  ),
  ...[429, 503].map((status) =>
    responding({
      id: `refuses-with-${status}`,
      does: `Responds ${status} to what it refuses.`,
      takes: 'signature.rejection-status',
      refused: exceptForSize((response) =>
        withHeader({ ...response, status }, 'retry-after', null),
      ),
    }),
  ),
  responding({
    id: 'refuses-with-many-statuses',
    does: 'Responds 400, 401 or 403 to what it refuses, by the length of the body.',
    takes: 'signature.rejection-status',
    refused: (response, { body }) => {
      const status = [400, 401, 403][(body?.byteLength ?? 0) % 3] ?? 400;
      return response.status === 413 ? response : { ...response, status };
    },
  }),
  responding({
    id: 'refuses-by-reset',
    does: 'Closes the connection when it refuses a delivery.',
    takes: 'signature.rejection-status',
    refused: () => Promise.reject(new NoResponse('the connection was closed')),
  }),
  ...(
    [
      ['set-cookie', 'session=1; Secure; HttpOnly'],
      ['retry-after', '120'],
      ['connection', 'close'],
      ['x-cache', 'Hit from a cache'],
      ['content-type', 'not a media type'],
    ] as const
  ).map(([name, value]) =>
    responding({
      id: `header-${name}`,
      does: `Sends the header ${name}: ${value} with what it accepts.`,
      takes: 'receiver.valid.acknowledged',
      accepted: (response) => withHeader(response, name, value),
    }),
  ),
];

import { API_VERSION, EVENT_TYPES } from '@hookproof/spec';

import { headerValue } from '../../http/message.ts';
import type { Outgoing } from '../../http/message.ts';
import { NoResponse } from '../../verdict/findings.ts';
import { respond } from '../edit.ts';
import type { Variant } from '../transformation.ts';
import { eventOf } from './arrival.ts';
import { beforehand } from './responding.ts';
import { stepVariants } from './verifying.ts';
import { RIGHT_STEPS } from './verification.ts';

const KIB = 1_024;
const LARGE = ['receiver.event.large'];

const idOf = ({ headers }: Outgoing): string => headerValue(headers, 'webhook-id') ?? '';
const isUnknown = (request: Outgoing): boolean => {
  const event = eventOf(request);
  if (event === null) return false;
  const types: readonly unknown[] = EVENT_TYPES;
  return !types.includes(event.type) || event.apiVersion !== API_VERSION;
};

const idForms: Readonly<Record<string, RegExp>> = {
  'letters-and-digits': /^whev_[a-z0-9]+$/i,
  'word-characters': /^whev_\w+$/,
  'at-most-64-characters': /^.{1,64}$/,
  'no-dot': /^[^.]*$/,
};

/** Receivers that refuse or accept what the contract leaves open. */
export const strictnessVariants: readonly Variant[] = [
  ...Object.entries(idForms).map(([name, form]) =>
    beforehand(
      {
        id: `ids-${name}`,
        does: `Refuses other ids than those of this form: ${name.replaceAll('-', ' ')}.`,
        takes: 'signature.id.form',
      },
      () => (request) => (form.test(idOf(request)) ? null : respond(400)),
    ),
  ),
  beforehand(
    {
      id: 'id-of-the-body-compared',
      does: 'Refuses a webhook-id that differs from the id in the body.',
      takes: 'signature.id.form',
    },
    () => (request) => {
      const event = eventOf(request);
      return event === null || event.id === idOf(request) ? null : respond(400);
    },
  ),
  ...[400, 422, 500].map((status) =>
    beforehand(
      {
        id: `unknown-event-${status}`,
        does: `Responds ${status} to an event type or a version that it does not know.`,
        takes: 'receiver.unknown-event',
      },
      () => (request) => (isUnknown(request) ? respond(status) : null),
    ),
  ),
  beforehand(
    {
      id: 'unknown-event-ignored',
      does: 'Responds 204 to an event type or a version that it does not know.',
      takes: 'receiver.unknown-event',
    },
    () => (request) => (isUnknown(request) ? respond(204) : null),
  ),
  ...[200, 400, 500].map((status) =>
    beforehand(
      {
        id: `invalid-event-${status}`,
        does: `Responds ${status} to a signed body that is no event.`,
        takes: 'receiver.invalid-event',
      },
      () => (request) =>
        // The signature decides first.
        headerValue(request.headers, 'webhook-signature') !== undefined && isNull(request)
          ? respond(status)
          : null,
    ),
  ),
  ...[48, 64, 100].flatMap((kib) => [
    beforehand(
      {
        id: `at-most-${kib}-kib`,
        does: `Responds 413 to a body above ${kib} KiB.`,
        takes: 'receiver.other-requests',
        silences: LARGE,
      },
      () => (request) => (isAbove(request, kib) ? respond(413) : null),
    ),
    beforehand(
      {
        id: `reset-above-${kib}-kib`,
        does: `Closes the connection at a body above ${kib} KiB.`,
        takes: 'receiver.other-requests',
        silences: LARGE,
      },
      () => (request) =>
        isAbove(request, kib) ? Promise.reject(new NoResponse('the connection was closed')) : null,
    ),
  ]),
  beforehand(
    {
      id: 'media-type-required',
      does: 'Responds 415 to another media type than application/json.',
      takes: 'receiver.other-requests',
    },
    () => (request) =>
      /^application\/json\b/.test(headerValue(request.headers, 'content-type') ?? '')
        ? null
        : respond(415),
  ),
  beforehand(
    {
      id: 'user-agent-required',
      does: 'Responds 403 to a request without a user-agent.',
      takes: 'receiver.other-requests',
    },
    () => (request) =>
      headerValue(request.headers, 'user-agent') === undefined ? respond(403) : null,
  ),
  ...stepVariants('signature.timestamp.spelling', [
    [
      'leading-zeros-accepted',
      'Accepts a timestamp with leading zeros.',
      { seconds: (timestamp) => (/^\d{1,18}$/.test(timestamp) ? Number(timestamp) : null) },
    ],
    [
      'plus-sign-accepted',
      'Accepts a timestamp with a plus sign.',
      { seconds: (timestamp) => (/^\+?\d{1,12}$/.test(timestamp) ? Number(timestamp) : null) },
    ],
  ]),
  ...stepVariants('signature.digest.case', [
    [
      'upper-case-digest-refused',
      'Refuses upper-case digits in the digest.',
      {
        digests: (signature) =>
          signature === signature.toLowerCase() ? RIGHT_STEPS.digests(signature) : [],
      },
    ],
  ]),
];

function isAbove({ body }: Outgoing, kib: number): boolean {
  return (body?.byteLength ?? 0) > kib * KIB;
}

function isNull({ body }: Outgoing): boolean {
  return Buffer.from(body ?? [])
    .toString('utf8')
    .endsWith('"data":null}');
}

import { NoResponse } from '@hookproof/conformance';
import { headerValue } from '@hookproof/conformance/hooks';
import type { Incoming, Outgoing } from '@hookproof/conformance/hooks';
import { perRun, variant } from '@hookproof/conformance/proof/kit/defect';
import type { Variant } from '@hookproof/conformance/proof/kit/defect';
import { respond } from '@hookproof/conformance/proof/kit/message';
import { onRequest, refuses, verifies } from '@hookproof/conformance/proof/kit/receiver';
import type { EventView } from '@hookproof/conformance/proof/kit/receiver';
import { RIGHT_STEPS } from '@hookproof/conformance/proof/kit/verification';
import { API_VERSION, EVENT_TYPES } from '@hookproof/spec';

const KIB = 1_024;
const ID_FORM = 'signature.id.form';
const OTHER = 'receiver.other-requests';
const LARGE = ['receiver.event.large'];
const TYPES: readonly unknown[] = EVENT_TYPES;
const ID_FORMS = [
  [
    'ids-letters-and-digits',
    'that have characters other than letters and digits',
    /^whev_[a-z0-9]+$/i,
  ],
  ['ids-word-characters', 'that have characters other than word characters', /^whev_\w+$/],
  ['ids-at-most-64-characters', 'of more than 64 characters', /^.{1,64}$/],
  ['ids-no-dot', 'that contain a dot', /^[^.]*$/],
] as const;

/** Receivers that refuse or accept what the contract leaves open. */
export const strictnessVariants: readonly Variant[] = [
  ...ID_FORMS.map(([id, which, form]) =>
    variant({
      id,
      takes: ID_FORM,
      does: `Refuses ids ${which}.`,
      receiver: onRequest((request) => (form.test(idOf(request)) ? null : respond(400))),
    }),
  ),
  variant({
    id: 'id-of-the-body-compared',
    takes: ID_FORM,
    does: 'Refuses a webhook-id that differs from the id in the body.',
    receiver: refuses((event, request) => event.id !== idOf(request)),
  }),
  ...[400, 422, 500].map((status) =>
    variant({
      id: `unknown-event-${status}`,
      takes: 'receiver.unknown-event',
      does: `Responds ${status} to an event type or a version that it does not know.`,
      receiver: refuses(isUnknown, status),
    }),
  ),
  variant({
    id: 'unknown-event-ignored',
    takes: 'receiver.unknown-event',
    does: 'Responds 204 to an event type or a version that it does not know.',
    receiver: refuses(isUnknown, 204),
  }),
  ...[200, 400, 500].map((status) =>
    variant({
      id: `invalid-event-${status}`,
      takes: 'receiver.invalid-event',
      does: `Responds ${status} to a signed body that is not an event.`,
      receiver: onRequest((request) =>
        // The signature decides first.
        headerValue(request.headers, 'webhook-signature') !== undefined && hasNullData(request)
          ? respond(status)
          : null,
      ),
    }),
  ),
  ...[4, 32, 48, 64, 100].flatMap((kib) => [
    variant({
      id: `at-most-${kib}-kib`,
      takes: OTHER,
      does: `Responds 413 to a body above ${kib} KiB.`,
      silences: kib < 48 ? [...LARGE, 'receiver.event.sizes'] : LARGE,
      receiver: onRequest((request) => (isAbove(request, kib) ? respond(413) : null)),
    }),
    variant({
      id: `reset-above-${kib}-kib`,
      takes: OTHER,
      does: `Closes the connection at a body above ${kib} KiB.`,
      silences: kib < 48 ? [...LARGE, 'receiver.event.sizes'] : LARGE,
      receiver: onRequest((request) => (isAbove(request, kib) ? closed() : null)),
    }),
  ]),
  variant({
    id: 'reset-above-4-kib-under-load',
    takes: OTHER,
    does: 'Closes the connection at a body above 4 KiB, or responds 500, by turns for each event.',
    silences: [...LARGE, 'receiver.event.sizes'],
    receiver: perRun(() => {
      const attempts = new Map<string, number>();
      return onRequest((request) => {
        if (!isAbove(request, 4)) return null;
        const attempt = (attempts.get(idOf(request)) ?? 0) + 1;
        attempts.set(idOf(request), attempt);
        return attempt % 2 === 0 ? respond(500) : closed();
      });
    }),
  }),
  variant({
    id: 'media-type-required',
    takes: OTHER,
    does: 'Responds 415 to a media type other than application/json.',
    receiver: onRequest(({ headers }) =>
      /^application\/json\b/.test(headerValue(headers, 'content-type') ?? '') ? null : respond(415),
    ),
  }),
  variant({
    id: 'user-agent-required',
    takes: OTHER,
    does: 'Responds 403 to a request without a user-agent.',
    receiver: onRequest(({ headers }) =>
      headerValue(headers, 'user-agent') === undefined ? respond(403) : null,
    ),
  }),
  variant({
    id: 'leading-zeros-accepted',
    takes: 'signature.timestamp.spelling',
    does: 'Accepts a timestamp with leading zeros.',
    receiver: verifies({
      seconds: (timestamp) => (/^\d{1,18}$/.test(timestamp) ? Number(timestamp) : null),
    }),
  }),
  variant({
    id: 'plus-sign-accepted',
    takes: 'signature.timestamp.spelling',
    does: 'Accepts a timestamp with a plus sign.',
    receiver: verifies({
      seconds: (timestamp) => (/^\+?\d{1,12}$/.test(timestamp) ? Number(timestamp) : null),
    }),
  }),
  variant({
    id: 'upper-case-digest-refused',
    takes: 'signature.digest.case',
    does: 'Refuses upper-case digits in the digest.',
    receiver: verifies({
      digests: (signature) =>
        signature === signature.toLowerCase() ? RIGHT_STEPS.digests(signature) : [],
    }),
  }),
];

function closed(): Promise<Incoming> {
  return Promise.reject(new NoResponse('the connection was closed'));
}

function idOf({ headers }: Outgoing): string {
  return headerValue(headers, 'webhook-id') ?? '';
}

function isUnknown({ type, apiVersion }: EventView): boolean {
  return !TYPES.includes(type) || apiVersion !== API_VERSION;
}

function isAbove({ body }: Outgoing, kib: number): boolean {
  return (body?.byteLength ?? 0) > kib * KIB;
}

function hasNullData({ body }: Outgoing): boolean {
  return Buffer.from(body ?? [])
    .toString('utf8')
    .endsWith('"data":null}');
}

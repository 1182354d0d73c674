import type { RunStatus } from '@hookproof/spec';

import { area } from '../../check-kit/area.ts';
import type { Check, CheckContext } from '../../check-kit/check.ts';
import type { ReceiverRequest } from '../../clients/receiver-client.ts';
import { signDelivery } from '../../signing/delivery.ts';
import { runEvent } from '../../signing/run-event.ts';
import type { SuiteEvent } from '../../signing/run-event.ts';
import {
  assumeAccepted,
  eventNow,
  expectAccepted,
  expectRefused,
  receiverSeconds,
  uniqueName,
} from './deliver.ts';

const signature = area('receiver.signature', { access: 'read', needs: ['receiver'] });

const OTHER_SECRET = 'whsec_YW5vdGhlciBzZWNyZXQgb2YgdGhlIHN1aXRl';

/** The creations, and a change to every other status. */
const KINDS: readonly (readonly [previous: RunStatus | undefined, current: RunStatus])[] = [
  [undefined, 'created'],
  [undefined, 'pending'],
  ['created', 'pending'],
  ['pending', 'running'],
  ['running', 'waiting'],
  ['running', 'finalizing'],
  ['finalizing', 'completed'],
  ['running', 'failed'],
  ['pending', 'cancelled'],
  ['created', 'rejected'],
];

/** Deliveries whose sender does not know the secret: with parts of an accepted delivery, and of every kind of event. */
export const receiverForgedChecks: readonly Check[] = [
  signature.check({
    name: 'known-id',
    requirements: ['signature.message.other-secret', 'signature.header.missing'],
    title: 'refuses a forged delivery with the id of an accepted event',
    async run(context) {
      const event = eventNow(context, 'knownid');
      await expectAccepted(context, () => signedNow(context, event));
      await refuseForgeries(context, event);
      await assumeAccepted(context, eventNow(context, 'afterforgeries'));
    },
  }),
  signature.check({
    name: 'known-signature',
    requirements: [
      'signature.message.other-body',
      'signature.message.other-id',
      'signature.message.other-timestamp',
    ],
    title: 'refuses the signature of an accepted delivery with another body, id or timestamp',
    async run(context) {
      const event = eventNow(context, 'knownsignature');
      const other = eventNow(context, 'othersignature');
      let accepted = signedNow(context, event);
      await expectAccepted(context, () => (accepted = signedNow(context, event)));
      const seconds = Number(valueOf(accepted, 'webhook-timestamp'));
      for (const [what, comment, forged] of [
        ['another body', 'The body was changed.', { ...accepted, body: tampered(event) }],
        [
          'another event',
          'The id and the body are those of another event.',
          { ...withHeader(accepted, 'webhook-id', other.id), body: other.body },
        ],
        [
          'another webhook-id',
          'Only the header was changed.',
          withHeader(accepted, 'webhook-id', other.id),
        ],
        [
          'another timestamp',
          'The timestamp is one second later.',
          withHeader(accepted, 'webhook-timestamp', String(seconds + 1)),
        ],
      ] as const) {
        await expectRefused(context, () => forged, {
          what: `the signature of an accepted delivery, with ${what}`,
          comment,
        });
      }
      await assumeAccepted(context, other);
    },
  }),
  signature.check({
    name: 'every-kind',
    requirements: ['signature.message.other-secret'],
    title: 'refuses a forged event of every type, kind of run and status',
    async run(context) {
      for (const runType of ['workflow', 'agent'] as const) {
        for (const [previousStatus, status] of KINDS) {
          const event = runEvent({
            name: uniqueName(context, `forged${runType}${previousStatus ?? ''}${status}`),
            test: true,
            runType,
            status,
            ...(previousStatus === undefined ? {} : { previousStatus }),
            at: context.now(),
          });
          await refuseOtherSecret(context, event, `an event of a ${runType} run that is ${status}`);
        }
      }
      await assumeAccepted(context, eventNow(context, 'afterkinds'));
    },
  }),
];

/** Delivers an event with each kind of forged signature. Throws a violation if one is accepted. */
export async function refuseForgeries(context: CheckContext, event: SuiteEvent): Promise<void> {
  const of = 'of an accepted event';
  await refuseOtherSecret(context, event, `a delivery ${of}`);
  await expectRefused(context, () => ({ ...signedNow(context, event), body: tampered(event) }), {
    what: `a changed body under the id ${of}`,
    comment: 'A receiver that looks up the id must verify first.',
  });
  const { receiver } = context;
  const forged = { ...receiver, secret: OTHER_SECRET };
  const asText = (): ReceiverRequest =>
    withHeader(
      signDelivery(event, forged, receiverSeconds(context)),
      'content-type',
      'text/plain; charset=utf-8',
    );
  await expectRefused(context, asText, {
    what: `a delivery ${of} as text, signed with another secret`,
    comment: 'Its sender does not know the secret.',
  });
  await expectRefused(context, () => withoutHeader(signedNow(context, event)), {
    what: `a delivery ${of} without webhook-signature`,
    comment: 'A receiver that looks up the id must verify first.',
  });
}

/** Delivers an event under another secret. Throws a violation if it is accepted. */
export async function refuseOtherSecret(
  context: CheckContext,
  event: SuiteEvent,
  what: string,
): Promise<void> {
  const { receiver } = context;
  await expectRefused(
    context,
    () => signDelivery(event, { ...receiver, secret: OTHER_SECRET }, receiverSeconds(context)),
    {
      what: `${what}, signed with another secret`,
      comment: 'Its sender does not know the secret.',
    },
  );
}

function signedNow(context: CheckContext, event: SuiteEvent): ReceiverRequest {
  return signDelivery(event, context.receiver, receiverSeconds(context));
}

/** Another valid body of the same event. */
function tampered({ body }: SuiteEvent): string {
  return body.replace('"triggerType":"api"', '"triggerType":"cron"');
}

function valueOf({ headers }: ReceiverRequest, name: string): string {
  return headers.find((pair) => pair[0] === name)?.[1] ?? '';
}

function withHeader(request: ReceiverRequest, name: string, value: string): ReceiverRequest {
  const headers = request.headers.map((pair) =>
    pair[0] === name ? ([name, value] as const) : pair,
  );
  return { ...request, headers };
}

function withoutHeader(request: ReceiverRequest): ReceiverRequest {
  return { ...request, headers: request.headers.filter(([name]) => name !== 'webhook-signature') };
}

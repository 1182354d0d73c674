import type { Check } from '../../check-kit/check.ts';
import { CouldNotRun, Violation } from '../../verdict/findings.ts';
import { verifies } from '../../signing/signer.ts';
import { deliveryCheck, expectOf, sender } from './sender-check.ts';
import { withRig } from './rig.ts';

const DAY_SECONDS = 86_400;
const SIGNING_TOLERANCE_SECONDS = 5;
const CUSTOM = { 'x-hookproof-suite': 'a custom value', 'x-hookproof-second': '2' };

/** The headers of each delivery. */
export const senderHeaderChecks: readonly Check[] = [
  deliveryCheck({
    name: 'header.method',
    requirements: ['webhook-header.post'],
    title: 'a delivery is a POST',
    judge(delivery, rig) {
      expectOf(rig, delivery, delivery.method === 'POST', 'POST', delivery.method);
    },
  }),
  deliveryCheck({
    name: 'header.content-type',
    requirements: ['webhook-header.content-type'],
    title: 'content-type is application/json',
    judge(delivery, rig) {
      const type = delivery.header('content-type');
      const plain = type?.split(';')[0]?.trim().toLowerCase();
      expectOf(rig, delivery, plain === 'application/json', 'application/json', type);
    },
  }),
  deliveryCheck({
    name: 'header.id-equals-body',
    requirements: ['webhook-header.id.equals-body'],
    title: 'webhook-id equals the id in the body',
    judge(delivery, rig) {
      const id = delivery.header('webhook-id');
      const expected = `webhook-id ${String(delivery.event['id'])}`;
      expectOf(rig, delivery, id !== undefined && id === delivery.event['id'], expected, id);
    },
  }),
  deliveryCheck({
    name: 'header.timestamp-seconds',
    requirements: ['webhook-header.timestamp.seconds'],
    title: 'webhook-timestamp is a Unix time in whole seconds',
    async judge(delivery, rig, { control }) {
      const text = delivery.header('webhook-timestamp') ?? '';
      const now = Date.parse((await control.clock()).now) / 1000;
      const near = Math.abs(Number(text) - now) < 30 * DAY_SECONDS;
      const expected = `whole seconds near ${Math.floor(now)}`;
      expectOf(rig, delivery, /^[0-9]+$/.test(text) && near, expected, text);
    },
  }),
  deliveryCheck({
    name: 'header.timestamp-current',
    requirements: ['webhook-header.timestamp.signing-time'],
    title: "webhook-timestamp is the time of the attempt, by the sender's clock",
    async judge(delivery, rig, { control }) {
      const eventId = String(delivery.event['id']);
      const [record] = await control.deliveries({ endpointId: rig.endpoint.id, eventId });
      const [attempt] = record?.attempts ?? [];
      if (attempt === undefined) {
        throw new CouldNotRun(
          `the control interface lists no attempt for the delivered event ${eventId}`,
          'list every attempt in GET /deliveries of the control interface',
        );
      }
      const started = Math.floor(Date.parse(attempt.startedAt) / 1000);
      const seconds = Number(delivery.header('webhook-timestamp'));
      const near = Math.abs(seconds - started) <= SIGNING_TOLERANCE_SECONDS;
      const expected = `at most ${SIGNING_TOLERANCE_SECONDS} s from ${started}`;
      expectOf(rig, delivery, near, expected, delivery.header('webhook-timestamp'));
    },
  }),
  deliveryCheck({
    name: 'header.signature-format',
    requirements: ['webhook-header.signature.format'],
    title: 'webhook-signature is v1, followed by 64 hex digits',
    judge(delivery, rig) {
      const value = delivery.header('webhook-signature') ?? '';
      expectOf(rig, delivery, /^v1,[0-9a-fA-F]{64}$/.test(value), 'v1, and 64 hex digits', value);
    },
  }),
  deliveryCheck({
    name: 'signature.over-raw-bytes',
    requirements: [
      'signature.message.signed',
      'webhook-event.emitted-for-run-lifecycle',
      'signature.authenticates-delivery',
      'webhook-header.id.signed',
    ],
    title: 'the signature matches id, timestamp and the raw bytes of the body',
    judge(delivery, rig) {
      const message = {
        id: delivery.header('webhook-id') ?? '',
        timestamp: delivery.header('webhook-timestamp') ?? '',
        body: delivery.body,
      };
      const value = delivery.header('webhook-signature') ?? '';
      const fits = verifies(rig.endpoint.secret, value, message);
      expectOf(rig, delivery, fits, 'a signature of these bytes with the endpoint secret', value);
    },
  }),
  deliveryCheck({
    name: 'header.user-agent',
    requirements: ['webhook-header.user-agent'],
    title: 'a delivery has a user-agent',
    judge(delivery, rig) {
      const agent = delivery.header('user-agent') ?? '';
      expectOf(rig, delivery, agent.trim() !== '', 'a user-agent', agent);
    },
  }),
  sender.check({
    name: 'header.custom',
    requirements: ['webhook-header.custom'],
    title: 'each delivery has the headers configured for the endpoint',
    run: (context) =>
      withRig(
        context,
        async (rig) => {
          const run = await rig.createRun();
          await rig.until(`run.created of ${run.id}`, () => rig.about(run).length > 0);
          for (const delivery of rig.about(run)) {
            for (const [name, value] of Object.entries(CUSTOM)) {
              const sent = delivery.header(name);
              expectOf(rig, delivery, sent === value, `${name}: ${value}`, sent);
            }
          }
        },
        { headers: CUSTOM },
      ),
  }),
  sender.check({
    name: 'secret.prefix',
    requirements: ['signature.secret.prefix'],
    title: 'the secret of an endpoint starts with whsec_',
    run: (context) =>
      withRig(context, async ({ endpoint, listener }) => {
        if (endpoint.secret.startsWith('whsec_')) return;
        throw new Violation({
          expected: `a secret that starts with whsec_ for the endpoint ${listener.url}`,
          actual: 'a secret with another prefix',
        });
      }),
  }),
];

import type { Check } from '../../check-kit/check.ts';
import { CouldNotRun, Violation } from '../../verdict/findings.ts';
import { deliveryCheck, runsCheck } from './sender-check.ts';

const DAY_MILLISECONDS = 86_400_000;
const MAX_CLOCK_DIFFERENCE_DAYS = 30;
const SIGNING_TOLERANCE_SECONDS = 5;

/** The headers of each delivery. */
export const senderHeaderChecks: readonly Check[] = [
  deliveryCheck({
    name: 'header.method',
    requirements: ['webhook-header.post'],
    title: 'a delivery is a POST',
    judge(delivery, _scene, expect) {
      expect(delivery, delivery.method === 'POST', 'POST', delivery.method);
    },
  }),
  deliveryCheck({
    name: 'header.content-type',
    requirements: ['webhook-header.content-type'],
    title: 'content-type is application/json',
    judge(delivery, _scene, expect) {
      const type = delivery.header('content-type');
      const plain = type?.split(';')[0]?.trim().toLowerCase();
      expect(delivery, plain === 'application/json', 'application/json', type);
    },
  }),
  deliveryCheck({
    name: 'header.id-equals-body',
    requirements: ['webhook-header.id.equals-body'],
    title: 'webhook-id equals the id in the body',
    judge(delivery, _scene, expect) {
      const id = delivery.header('webhook-id');
      const expected = `webhook-id ${String(delivery.event['id'])}`;
      expect(delivery, id !== undefined && id === delivery.event['id'], expected, id);
    },
  }),
  deliveryCheck({
    name: 'header.timestamp-seconds',
    requirements: ['webhook-header.timestamp.seconds'],
    title: 'webhook-timestamp is a Unix time in whole seconds',
    judge(delivery, { clock }, expect) {
      const text = delivery.header('webhook-timestamp') ?? '';
      const time = Number(text) * 1000;
      const margin = MAX_CLOCK_DIFFERENCE_DAYS * DAY_MILLISECONDS;
      const isNear = time >= clock.start - margin && time <= clock.end + margin;
      const expected = `whole seconds near ${Math.floor(clock.end / 1000)}`;
      expect(delivery, /^[0-9]+$/.test(text) && isNear, expected, text);
    },
  }),
  deliveryCheck({
    name: 'header.timestamp-current',
    requirements: ['webhook-header.timestamp.signing-time'],
    title: "webhook-timestamp is the time of the attempt, by the sender's clock",
    needs: ['driver', 'control'],
    judge(delivery, { records }, expect) {
      const eventId = String(delivery.event['id']);
      if (!records?.some(({ attempts }) => attempts.length > 0)) {
        throw new CouldNotRun(
          'the control interface lists no attempt',
          'list every attempt in GET /deliveries of the control interface',
        );
      }
      const record = records.find((one) => one.eventId === eventId);
      // The event of a run that the suite has not created.
      if (record === undefined || record.attempts.length === 0) return;
      const starts = record.attempts.map(({ startedAt }) => Date.parse(startedAt) / 1000);
      const seconds = Number(delivery.header('webhook-timestamp'));
      const isNear = starts.some(
        (started) => Math.abs(seconds - Math.floor(started)) <= SIGNING_TOLERANCE_SECONDS,
      );
      const times = starts.map(Math.floor).join(', ');
      const expected = `at most ${SIGNING_TOLERANCE_SECONDS} s from an attempt, at ${times}`;
      expect(delivery, isNear, expected, delivery.header('webhook-timestamp'));
    },
  }),
  deliveryCheck({
    name: 'header.user-agent',
    requirements: ['webhook-header.user-agent'],
    title: 'a delivery has a user-agent',
    judge(delivery, _scene, expect) {
      const agent = delivery.header('user-agent') ?? '';
      expect(delivery, agent.trim() !== '', 'a user-agent', agent);
    },
  }),
  deliveryCheck({
    name: 'header.custom',
    requirements: ['webhook-header.custom'],
    title: 'each delivery has the headers configured for the endpoint',
    judge(delivery, { headers }, expect) {
      const wanted = Object.entries(headers);
      if (wanted.length === 0) {
        throw new CouldNotRun(
          'the endpoint has no custom headers',
          'configure the headers that the suite asks for',
        );
      }
      for (const [name, value] of wanted) {
        const sent = delivery.header(name);
        expect(delivery, sent === value, `${name}: ${value}`, sent);
      }
    },
  }),
  runsCheck({
    name: 'secret.prefix',
    requirements: ['signature.secret.prefix'],
    title: 'the secret of an endpoint starts with whsec_',
    judge({ endpoint }) {
      if (endpoint.secret.startsWith('whsec_')) return;
      throw new Violation({
        expected: `a secret that starts with whsec_ for the endpoint ${endpoint.url}`,
        actual: 'a secret with another prefix',
      });
    },
  }),
];

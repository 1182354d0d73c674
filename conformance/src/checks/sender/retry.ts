import type { Check, CheckContext, Requirements } from '../../check-kit/check.ts';
import { Inconclusive } from '../../verdict/findings.ts';
import type {
  ListenerResponse,
  ReceivedDelivery,
  ResponseScript,
} from '../../listener/delivery.ts';
import { verifies } from '../../signing/signer.ts';
import { expectOf, sender } from './sender-check.ts';
import type { JudgedCheck } from './sender-check.ts';
import { withRig } from './rig.ts';
import type { SenderRig } from './rig.ts';

/** On a real clock the suite waits this long. On a virtual clock, a minute is within any limit of a sender. */
const RETRY_AFTER_SECONDS = { real: 3, virtual: 60 };

/** An attempt is signed at its start or within the next second. */
const SIGNING_TOLERANCE_SECONDS = 1;

/** What follows a failed attempt. */
export const senderRetryChecks: readonly Check[] = [
  ...[408, 425, 429].map((status) =>
    retried(`on-${status}`, [`delivery.retry.${status}`], { status }),
  ),
  retried('on-500', ['delivery.retry.5xx'], { status: 500 }),
  retried('on-503', ['delivery.retry.5xx', 'delivery.at-least-once'], { status: 503 }),
  retried('on-network-failure', ['delivery.retry.network-failure'], 'reset'),
  retryCheck({
    name: 'retry.same-id',
    requirements: ['webhook-header.id.stable', 'webhook-envelope.id.idempotency-key'],
    title: 'a retry has the same webhook-id',
    judge(first, second, rig) {
      const id = first.header('webhook-id');
      const again = second.header('webhook-id');
      expectOf(rig, second, again === id, `webhook-id ${String(id)}`, again);
    },
  }),
  retryCheck({
    name: 'retry.same-payload',
    requirements: ['delivery.retry.same-payload'],
    title: 'a retry has the same bytes',
    judge(first, second, rig) {
      const text = second.body.toString('utf8');
      expectOf(rig, second, first.body.equals(second.body), first.body.toString('utf8'), text);
    },
  }),
  retryAfterCheck({
    name: 'retry.fresh-timestamp',
    requirements: ['webhook-header.timestamp.signing-time'],
    title: 'a retry has the time of its own signing as timestamp',
    judge(_asked, times, [, second], rig) {
      const started = Math.floor(times.second);
      const seconds = Number(second.header('webhook-timestamp'));
      const fresh = Math.abs(seconds - started) <= SIGNING_TOLERANCE_SECONDS;
      const sent = second.header('webhook-timestamp');
      expectOf(rig, second, fresh, `the time of the second attempt, ${started}`, sent);
    },
  }),
  retryCheck({
    name: 'retry.fresh-signature',
    requirements: ['delivery.retry.signed-afresh'],
    title: 'a retry has a signature that matches its own timestamp',
    judge(_first, second, rig) {
      const value = second.header('webhook-signature') ?? '';
      const fits = verifies(rig.endpoint.secret, value, {
        id: second.header('webhook-id') ?? '',
        timestamp: second.header('webhook-timestamp') ?? '',
        body: second.body,
      });
      expectOf(rig, second, fits, 'a signature that matches this id, timestamp and body', value);
    },
  }),
  retryAfterCheck({
    name: 'retry.retry-after',
    requirements: ['delivery.retry-after'],
    title: 'a retry waits at least as long as Retry-After asks',
    judge(asked, times, [, second], rig) {
      const waited = times.second - times.first;
      expectOf(rig, second, waited >= asked, `at least ${asked} s`, `${waited} s`);
    },
  }),
];

function retried(
  name: string,
  requirements: Requirements,
  response: Exclude<ListenerResponse, 'hold'>,
): Check {
  const cause = response === 'reset' ? 'a network failure' : response.status;
  return sender.check({
    name: `retry.${name}`,
    requirements,
    title: `retries after ${cause}`,
    run: (context) => twoAttempts(context, response, () => undefined, 'demand'),
  });
}

function retryCheck({ judge, ...own }: JudgedCheck<Parameters<typeof twoAttempts>[2]>): Check {
  return sender.check({
    ...own,
    run: (context) => twoAttempts(context, { status: 503 }, judge),
  });
}

/** Sends Retry-After to the first attempt, and reads from the sender's records when both started, in seconds. */
function retryAfterCheck({
  judge,
  ...own
}: JudgedCheck<
  (
    asked: number,
    times: { readonly first: number; readonly second: number },
    attempts: readonly [ReceivedDelivery, ReceivedDelivery],
    rig: SenderRig,
  ) => void
>): Check {
  return sender.check({
    ...own,
    async run(context) {
      const { control } = context;
      const asked = RETRY_AFTER_SECONDS[(await control.clock()).mode];
      const headers = { 'retry-after': String(asked) };
      await twoAttempts(context, { status: 503, headers }, async (first, second, rig) => {
        const eventId = String(first.event['id']);
        const [record] = await control.deliveries({ endpointId: rig.endpoint.id, eventId });
        const [one, two] = record?.attempts ?? [];
        if (one === undefined || two === undefined) {
          throw new Inconclusive(
            `Cannot judge: the control interface lists fewer than two attempts of ${eventId}.`,
          );
        }
        const [began, beganAgain] = [one, two].map(({ startedAt }) => Date.parse(startedAt) / 1000);
        judge(asked, { first: began ?? 0, second: beganAgain ?? 0 }, [first, second], rig);
      });
    },
  });
}

/** Lets the first attempt of an event fail and waits for the second. */
async function twoAttempts(
  context: CheckContext,
  response: ListenerResponse,
  judge: (
    first: ReceivedDelivery,
    second: ReceivedDelivery,
    rig: SenderRig,
    context: CheckContext,
  ) => Promise<void> | void,
  wait: 'until' | 'demand' = 'until',
): Promise<void> {
  let arrivals = 0;
  const script: ResponseScript = () => {
    arrivals += 1;
    return arrivals === 1 ? response : { status: 204 };
  };
  await withRig(
    context,
    async (rig) => {
      const run = await rig.createRun();
      await rig.until(`event of ${run.id}`, () => rig.about(run).length > 0);
      await rig[wait](`second attempt for the event of ${run.id}`, () => rig.about(run).length > 1);
      const [first, second] = rig.about(run);
      if (first !== undefined && second !== undefined) await judge(first, second, rig, context);
    },
    { script },
  );
}

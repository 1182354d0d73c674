import type { Check, CheckContext } from '../../check.ts';
import type { Answer, ReceivedDelivery, Script } from '../../listener/delivery.ts';
import { verifies } from '../../signing/signer.ts';
import { expectOf, senderCheck } from './sender-check.ts';
import { onStage } from './stage.ts';
import type { SenderStage } from './stage.ts';

const RETRY_AFTER_SECONDS = 1;
/** An hour is the least that a configured limit could make of a long wait; a minute is well within. */
const RETRY_AFTER_VIRTUAL_SECONDS = 60;

/** What follows a try that did not succeed. */
export const senderRetryChecks: readonly Check[] = [
  ...[408, 425, 429].map((status) =>
    retried(`on-${status}`, `delivery.retry.${status}`, { status }),
  ),
  ...[500, 503].map((status) => retried(`on-${status}`, 'delivery.retry.5xx', { status })),
  retried('on-network-failure', 'delivery.retry.network-failure', 'reset'),
  retryCheck(
    'retry.same-id',
    'webhook-header.id.stable',
    'a further try has the same webhook-id',
    (first, second, stage) => {
      const id = first.header('webhook-id');
      const again = second.header('webhook-id');
      expectOf(stage, second, again === id, `webhook-id ${String(id)}`, again);
    },
  ),
  retryCheck(
    'retry.same-payload',
    'delivery.retry.same-payload',
    'a further try carries the same bytes',
    (first, second, stage) => {
      const text = second.body.toString('utf8');
      expectOf(stage, second, first.body.equals(second.body), first.body.toString('utf8'), text);
    },
  ),
  retryCheck(
    'retry.fresh-timestamp',
    'webhook-header.timestamp.signing-time',
    'a further try has the timestamp of its own signing',
    async (first, second, stage, { control }) => {
      const eventId = String(first.event['id']);
      const [record] = await control.deliveries({ endpointId: stage.endpoint.id, eventId });
      const started = Date.parse(record?.attempts[1]?.startedAt ?? '') / 1000;
      const seconds = Number(second.header('webhook-timestamp'));
      const fresh = Number.isNaN(started)
        ? seconds >= Number(first.header('webhook-timestamp'))
        : Math.abs(seconds - Math.floor(started)) <= 5;
      const expected = `the time of the second try, ${Math.floor(started)}`;
      expectOf(stage, second, fresh, expected, second.header('webhook-timestamp'));
    },
  ),
  retryCheck(
    'retry.fresh-signature',
    'delivery.retry.signed-afresh',
    'a further try has a signature that fits its own timestamp',
    (_first, second, stage) => {
      const value = second.header('webhook-signature') ?? '';
      const fits = verifies(stage.endpoint.secret, value, {
        id: second.header('webhook-id') ?? '',
        timestamp: second.header('webhook-timestamp') ?? '',
        body: second.body,
      });
      expectOf(stage, second, fits, 'a signature of this id, timestamp and body', value);
    },
  ),
  senderCheck(
    'retry.retry-after',
    'delivery.retry-after',
    'the next try waits at least as long as Retry-After asks',
    async (context) => {
      const { mode } = await context.control.clock();
      const asked = mode === 'virtual' ? RETRY_AFTER_VIRTUAL_SECONDS : RETRY_AFTER_SECONDS;
      const headers = { 'retry-after': String(asked) };
      await twoTries(context, { status: 503, headers }, (first, second, stage) => {
        const waited =
          mode === 'virtual'
            ? Number(second.header('webhook-timestamp')) - Number(first.header('webhook-timestamp'))
            : (second.arrivedAt - first.arrivedAt) / 1000;
        expectOf(stage, second, waited >= asked, `at least ${asked} s`, `${waited} s`);
      });
    },
  ),
];

function retried(name: string, requirement: string, answer: Answer): Check {
  const what = answer === 'reset' ? 'fails on the network' : `is answered with ${answer.status}`;
  const title = `a try that ${what} is followed by another`;
  return senderCheck(`retry.${name}`, requirement, title, (context) =>
    twoTries(context, answer, () => undefined),
  );
}

function retryCheck(
  name: string,
  requirement: string,
  title: string,
  judge: Parameters<typeof twoTries>[2],
): Check {
  return senderCheck(name, requirement, title, (context) =>
    twoTries(context, { status: 503 }, judge),
  );
}

/** Lets the first try of one event fail as told and waits for the second. */
async function twoTries(
  context: CheckContext,
  answer: Answer,
  judge: (
    first: ReceivedDelivery,
    second: ReceivedDelivery,
    stage: SenderStage,
    context: CheckContext,
  ) => Promise<void> | void,
): Promise<void> {
  let arrivals = 0;
  const script: Script = () => {
    arrivals += 1;
    return arrivals === 1 ? answer : { status: 204 };
  };
  await onStage(
    context,
    async (stage) => {
      const run = await stage.createRun();
      await stage.until(
        `a second try for the event of ${run.id}`,
        () => stage.about(run).length > 1,
      );
      const [first, second] = stage.about(run);
      if (first !== undefined && second !== undefined) await judge(first, second, stage, context);
    },
    { script },
  );
}

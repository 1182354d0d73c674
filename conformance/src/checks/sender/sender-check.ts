import { area } from '../../check-kit/area.ts';
import type { Area, AreaCheck } from '../../check-kit/area.ts';
import type { Check, CheckContext } from '../../check-kit/check.ts';
import { show } from '../../check-kit/expect.ts';
import { showBody } from '../../http/exchange.ts';
import type { DeliveryAttempt, HttpExchange } from '../../http/exchange.ts';
import { runOf } from '../../listener/delivery.ts';
import type { ReceivedDelivery } from '../../listener/delivery.ts';
import { Violation } from '../../verdict/findings.ts';
import { nameOf } from './attempts.ts';
import { observedRunsOf } from './scenes/observed-runs.ts';
import type { ObservedRuns } from './scenes/observed-runs.ts';
import { endpointsOf } from './scenes/endpoints.ts';
import { pairOf } from './scenes/pair.ts';
import { responsesOf } from './scenes/responses.ts';
import { settle } from './scenes/scene.ts';
import type { Scene } from './scenes/scene.ts';

/** The frame of all sender checks: they move the virtual clock of the deployment. */
export const sender: Area = area('sender', {
  access: 'write',
  needs: ['driver'],
  exclusive: 'on-virtual-clock',
  timeoutMilliseconds: 600_000,
});

/** Throws a violation that shows the delivery unless the condition holds. */
export type Expect = (
  delivery: ReceivedDelivery,
  holds: boolean,
  expected: string,
  actual: unknown,
) => void;

/** A check that shares its scene with others and has its own judgment. */
type JudgedCheck<Judge> = Omit<AreaCheck, 'run'> & { readonly judge: Judge };

/** A check of how some runs went. */
export function runsCheck({
  judge,
  ...own
}: JudgedCheck<
  (observed: ObservedRuns, expect: Expect, context: CheckContext) => void | Promise<void>
>): Check {
  return sender.check({
    ...own,
    async run(context) {
      const observed = await observedRunsOf(context);
      await showingArrivals(observed.deliveries, context, () =>
        judge(observed, expectIn(context), context),
      );
    },
  });
}

/** A check of everything that each endpoint of the suite received. */
export function sceneCheck({
  judge,
  ...own
}: JudgedCheck<(scene: Scene, expect: Expect) => void>): Check {
  return sender.check({
    ...own,
    async run(context) {
      const expect = expectIn(context);
      for await (const scene of allScenes(context)) judge(scene, expect);
    },
  });
}

/** A check of every delivery that reached the suite, whatever its event, attempt or endpoint. */
export function deliveryCheck({
  judge,
  ...own
}: JudgedCheck<(delivery: ReceivedDelivery, scene: Scene, expect: Expect) => void>): Check {
  return sceneCheck({
    ...own,
    judge(scene, expect) {
      for (const delivery of scene.deliveries) judge(delivery, scene, expect);
    },
  });
}

/**
 * Each scene when it is judged, so that a violation in one opens no other. A driver that cannot show more than what
 * happens to runs shows no other scene.
 */
async function* allScenes(context: CheckContext): AsyncGenerator<Scene> {
  yield await observedRunsOf(context);
  const [responses] = await settle(responsesOf(context));
  if (responses !== undefined) yield responses;
  const [endpoints] = await settle(endpointsOf(context));
  for (const { scene } of Object.values(endpoints ?? {}).flat()) yield scene;
  const [pair] = await settle(pairOf(context));
  if (pair !== undefined) yield* [pair.refusing, pair.busy];
}

/** What throws the violations of a check. */
export function expectIn({ redact }: Pick<CheckContext, 'redact'>): Expect {
  return (delivery, holds, expected, actual) => {
    if (holds) return;
    throw new Violation({ expected, actual: show(actual), ...evidenceOf(delivery, redact) });
  };
}

/** A violation about something that did not come shows what came last in its place. */
export async function showingArrivals(
  deliveries: readonly ReceivedDelivery[],
  { redact }: Pick<CheckContext, 'redact'>,
  judge: () => void | Promise<void>,
): Promise<void> {
  try {
    await judge();
  } catch (error) {
    if (!(error instanceof Violation) || error.detail.exchange !== undefined) throw error;
    const { expected } = error.detail;
    const last = deliveries.findLast((one) => isAbout(one, expected)) ?? deliveries.at(-1);
    if (last === undefined) throw error;
    throw new Violation({ ...error.detail, ...evidenceOf(last, redact) });
  }
}

/** Whether a text names the event or the run of a delivery, or the status that it got. */
function isAbout({ event, response }: ReceivedDelivery, text: string): boolean {
  const status = typeof response === 'string' ? response : String(response.status);
  const ids = [event['id'], runOf(event)['id'], status].map(String);
  return ids.some((id) => text.split(/[\s,;]+/).includes(id));
}

/** A delivery and all attempts of it, as a violation shows them. */
export function evidenceOf(
  delivery: ReceivedDelivery,
  redact: (text: string) => string,
): { readonly exchange: HttpExchange; readonly attempts: readonly DeliveryAttempt[] } {
  const arrivals = delivery.attempts();
  const firstAt = arrivals[0]?.arrivedAt ?? delivery.arrivedAt;
  return {
    exchange: exchangeOf(delivery, redact),
    attempts: arrivals.map((arrival) => ({
      seconds: Math.round((arrival.arrivedAt - firstAt) / 100) / 10,
      webhookTimestamp: arrival.header('webhook-timestamp') ?? null,
      response: nameOf(arrival.response),
    })),
  };
}

function exchangeOf(
  { method, url, headers, body, response }: ReceivedDelivery,
  redact: (text: string) => string,
): HttpExchange {
  return {
    sentBy: 'target',
    request: {
      method,
      url,
      headers: headers.map(([name, value]) => [name, redact(value)]),
      body: showBody(body, redact),
    },
    response:
      typeof response === 'string'
        ? null
        : { status: response.status, headers: Object.entries(response.headers ?? {}), body: null },
  };
}

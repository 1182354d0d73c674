import type { CheckContext } from '../../../check-kit/check.ts';
import { once } from '../../../check-kit/once.ts';
import type { ControlledRun } from '../../../clients/control-client.ts';
import type { DrivenEndpoint } from '../../../driver/sender-driver.ts';
import { ACCEPTED } from '../../../listener/delivery.ts';
import type { ListenerResponse, ReceivedDelivery } from '../../../listener/delivery.ts';
import type { Arrivals } from '../arrivals.ts';
import { about, byEvent } from '../arrivals.ts';
import { AttemptCounts, isOldEnough, isRetried } from '../attempts.ts';
import { controlOf, endScene, mapConcurrently, openScene, settle } from './scene.ts';
import type { TenantScene } from './scene.ts';

/** How often the events of one status are refused, before they are accepted. */
const REFUSALS = 4;
/** The attempts after which the sender's schedule has shown itself. */
const MANY_ATTEMPTS = 4;

/** 2xx statuses, each a success. */
export const SUCCESSES: readonly number[] = [200, 201, 202, 203, 204, 206, 299];
/** 4xx statuses that end delivery. */
export const ENDING: readonly number[] = [
  400, 401, 402, 403, 404, 405, 406, 409, 410, 411, 412, 413, 415, 418, 422, 423, 451, 499,
];
/** 4xx statuses after which delivery continues. */
export const RETRIED: readonly number[] = [408, 425, 429];
/** 5xx statuses: delivery continues. */
export const SERVER_ERRORS: readonly number[] = [
  500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 599,
];

/** Successes with a body, as frameworks send them. */
export const WITH_BODY: readonly Response[] = [
  { status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' },
  { status: 202, headers: { 'content-type': 'application/json' }, body: '{"received":true}' },
];

/** The response of each new event. */
type Response = Exclude<ListenerResponse, 'hold'>;

/**
 * The first responses to new events, most important first. The first one never ends. Statuses that end delivery come
 * twice, so that one duplicate is not mistaken for a retry.
 */
const FIRST_RESPONSES: readonly Response[] = [
  { status: 503 },
  ...[...RETRIED, ...SERVER_ERRORS].map((status) => ({ status })),
  'reset',
  { status: 429, headers: { 'retry-after': '2' } },
  ...[...SUCCESSES, ...ENDING].flatMap((status) => [{ status }, { status }]),
  ...WITH_BODY,
  ...WITH_BODY,
];

/** Many events, each with responses of one status. */
export const responsesOf: (context: CheckContext) => Promise<ResponseScene> =
  once(observeResponses);

/** A scene of many runs that have no other events than that of their creation. */
export interface ResponseScene extends TenantScene {
  /** An endpoint of another tenant with one run, while all this happens; null without another tenant. */
  readonly otherTenant: TenantScene | null;
}

async function observeResponses(context: CheckContext): Promise<ResponseScene> {
  const byId = new Map<unknown, Response>();
  const script = (
    { event }: Omit<ReceivedDelivery, 'response'>,
    attempt: number,
  ): ListenerResponse => {
    const { id } = event;
    const response = byId.get(id) ?? FIRST_RESPONSES[byId.size] ?? { status: 204 };
    byId.set(id, response);
    const isOver = response !== FIRST_RESPONSES[0] && attempt > REFUSALS;
    return isRetried(response) && isOver ? ACCEPTED : response;
  };
  const opened = await openScene(context.sender, script);
  const { driven } = opened;
  const secondTenant =
    driven.tenantId === null ? null : await openScene(context.sender, () => ACCEPTED);
  try {
    const created = await mapConcurrently(FIRST_RESPONSES, () => settle(driven.createRun()));
    const [failed] = created.flatMap(([, error]) => error ?? []);
    const runs = created.flatMap(([run]) => run ?? []);
    const others = secondTenant === null ? [] : [await changedRun(secondTenant.driven)];
    const clock = await controlOf(context)?.clock();
    const isVirtual = clock?.mode === 'virtual';
    const attempts = isVirtual ? MANY_ATTEMPTS : MANY_ATTEMPTS - 1;
    const waited = await driven.wait(
      () =>
        isComplete(driven, runs, attempts) &&
        // On a virtual clock, each step lets every retry that is due happen.
        (isVirtual || isOldEnough(driven.listener.deliveries, attempts, context.now())),
    );
    const scene = await endScene(context, opened, waited);
    if (scene.deliveries.length === 0 && failed !== undefined) throw failed;
    const otherTenant =
      secondTenant === null
        ? null
        : {
            ...(await endScene(context, secondTenant, waited)),
            tenantId: secondTenant.driven.tenantId,
            runs: others,
          };
    return { ...scene, tenantId: driven.tenantId, runs, otherTenant };
  } finally {
    await Promise.all([driven.close(), secondTenant?.driven.close()]);
  }
}

async function changedRun(driven: DrivenEndpoint): Promise<ControlledRun> {
  const run = await driven.createRun();
  await settle(driven.move(run, 'running', 'cancelled'));
  return run;
}

/** Whether every response was given, and every event that shall come again has done so. */
function isComplete(
  { listener }: DrivenEndpoint,
  runs: readonly ControlledRun[],
  attempts: number,
): boolean {
  const { deliveries } = listener;
  const events = byEvent(deliveries);
  if (
    events.size < FIRST_RESPONSES.length ||
    !runs.every((run) => about(deliveries, run).length > 0)
  )
    return false;
  const counts = new AttemptCounts(deliveries);
  return (
    counts.most >= attempts &&
    !counts.isAmbiguous &&
    [...events.values()].every((each) => !isRefused(each) || counts.isAgain(each))
  );
}

function isRefused([first]: Arrivals): boolean {
  return first !== undefined && isRetried(first.response);
}

import type { RunStatus } from '@hookproof/spec';

import type { CheckContext } from '../../../check-kit/check.ts';
import { controlOrNull } from '../../../check-kit/control-or-null.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { DrivenEndpoint, Redelivery } from '../../../driver/sender-driver.ts';
import type { Waited } from '../../../driver/wait-strategy.ts';
import { pathOf } from '../../../http/contract.ts';
import { isTerminal, runOf } from '../../../listener/delivery.ts';
import { CouldNotRun, Inconclusive } from '../../../verdict/findings.ts';
import { about, byEvent, renamedRedeliveries } from '../arrivals.ts';
import type { ObservedRun } from './observed-run.ts';
import { mapConcurrently, settle, valueOf } from './scene.ts';
import type { Settled } from './scene.ts';
import type { RetryScript } from './script.ts';

/** A redelivery, and how long it was waited for. */
export interface MadeRedelivery extends Redelivery {
  readonly waited: Waited;
}

const NOT_DELIVERED = 'Cannot judge: no event was delivered and accepted at once.';
/** What is tried with runs in a terminal status. */
const ATTEMPTED: readonly RunStatus[] = ['pending', 'running', 'cancelled', 'failed'];

/** The deployment may refuse these changes through its control interface; its events show what it did. */
export async function tryAfterEnd(
  context: CheckContext,
  runs: readonly ObservedRun[],
): Promise<void> {
  const control = controlOrNull(context);
  if (control === null) return;
  const byEnding = new Map(runs.filter(isEnded).map(({ run, statuses }) => [statuses.at(-1), run]));
  const tries = [...byEnding.values()].flatMap(({ id }) =>
    ATTEMPTED.map((status) => ({ id, status })),
  );
  await mapConcurrently(tries, ({ id, status }) => settle(control.moveRun({ runId: id, status })));
}

export function isEnded({ statuses }: ObservedRun): boolean {
  return isTerminal(statuses.at(-1));
}

/** Requests an existing run and the run of the test event. */
export async function readRuns(
  { api }: CheckContext,
  { listener, key }: DrivenEndpoint,
  [existing]: readonly ObservedRun[],
  testId: Settled<string>,
): Promise<readonly [ApiResponse, ApiResponse]> {
  const [event] = byEvent(listener.deliveries).get(valueOf(testId)) ?? [];
  if (existing === undefined || event === undefined) {
    throw new Inconclusive('Cannot judge: no run was created, or the test event did not arrive.');
  }
  const read = (id: string): Promise<ApiResponse> =>
    api.send({ path: pathOf('getRunApp', { id }), key });
  return [await read(existing.run.id), await read(String(runOf(event.event)['id']))];
}

/** Has an event sent again whose every delivery was accepted, and waits for it. */
export async function redeliver(
  driven: DrivenEndpoint,
  runs: readonly ObservedRun[],
  script: RetryScript,
): Promise<Settled<MadeRedelivery>> {
  const { deliveries } = driven.listener;
  const accepted = runs.filter(({ run }) => {
    const own = about(deliveries, run);
    return own.length > 0 && !own.some(({ event }) => script.isRefused(event));
  });
  let result: Settled<Redelivery> = [undefined, new Inconclusive(NOT_DELIVERED)];
  for (const { run } of accepted) {
    result = await settle(driven.redeliver(run));
    if (result[0] !== undefined || !(result[1] instanceof CouldNotRun)) break;
  }
  const [asked] = result;
  if (asked === undefined) return [undefined, result[1]];
  const { eventId, arrivedBefore } = asked;
  const isBack = (): boolean =>
    (byEvent(deliveries).get(eventId)?.length ?? 0) > arrivedBefore ||
    renamedRedeliveries(deliveries, asked).length > 0;
  return [{ ...asked, waited: await driven.wait(isBack) }];
}

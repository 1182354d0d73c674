import { setTimeout as pause } from 'node:timers/promises';

import { area } from '../../check-kit/area.ts';
import type { Area } from '../../check-kit/area.ts';
import type { CheckContext } from '../../check-kit/check.ts';
import { assumeSuccess } from '../../check-kit/expect.ts';
import type { HttpExchange } from '../../http/exchange.ts';
import { isRecord } from '../../http/message.ts';
import { CouldNotRun, Inconclusive } from '../../verdict/findings.ts';
import { deliver } from './deliver.ts';
import { realEvent } from './run-events.ts';

const PAUSE_MILLISECONDS = 25;
const TIMEOUT_MILLISECONDS = 8_000;

/** A test event has no effect, so checks of effects deliver real events, and count as writes. */
export const receiverEffect: Area = area('receiver', {
  access: 'write',
  needs: ['receiver', 'receiver.observer'],
  timeoutMilliseconds: 30_000,
});

/** What took effect in the receiver, as its observer reports it. */
export interface Observed {
  /** One entry per effect, in the order of the run as the receiver sees it. */
  readonly handled: readonly { readonly id: string; readonly runId: unknown }[];
  readonly exchange: HttpExchange;
}

/** Reads the observer. Throws `CouldNotRun` for a response without the documented members. */
export async function observe({ receiver }: CheckContext): Promise<Observed> {
  const { json, exchange } = await receiver.observe();
  const listed = isRecord(json) ? json['handled'] : undefined;
  if (!Array.isArray(listed)) throw malformed();
  const handled = listed.map((entry: unknown) => {
    const { id, runId } = isRecord(entry) ? entry : {};
    if (typeof id !== 'string') throw malformed();
    return { id, runId };
  });
  return { handled, exchange };
}

/** Waits until the observer lists the event. */
export async function seen(context: CheckContext, id: string): Promise<Observed> {
  const end = context.now() + TIMEOUT_MILLISECONDS;
  while (context.now() < end && !context.signal.aborted) {
    const observed = await observe(context);
    if (observed.handled.some((entry) => entry.id === id)) return observed;
    await pause(PAUSE_MILLISECONDS);
  }
  throw new Inconclusive(
    `Cannot judge: the receiver accepted ${id}, and its observer does not list it within ${TIMEOUT_MILLISECONDS / 1000} s.`,
  );
}

/** What has taken effect after a later event has: effects of earlier events would be listed by then. */
export async function afterLater(context: CheckContext, name: string): Promise<Observed> {
  const later = realEvent(context, `${name}-later`);
  assumeSuccess(await deliver(context, later));
  await seen(context, later.id);
  return observe(context);
}

function malformed(): CouldNotRun {
  return new CouldNotRun(
    'the observer does not list the handled events',
    'respond to GET --observer URL with { "handled": [{ "id", "runId", "type", "status" }] }',
  );
}

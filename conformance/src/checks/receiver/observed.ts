import { setTimeout as pause } from 'node:timers/promises';

import type { CheckContext } from '../../check-kit/check.ts';
import type { HttpExchange } from '../../http/exchange.ts';
import { CouldNotRun, Inconclusive } from '../../verdict/findings.ts';
import { isRecord } from '../../check-kit/expect.ts';

const PAUSE_MILLISECONDS = 25;
const TIMEOUT_MILLISECONDS = 8_000;

/** What took effect in the receiver, as its observer address tells it. */
export interface Observed {
  /** Each effect once, in the order in which the receiver takes them to have happened. */
  readonly handled: readonly { readonly id: string; readonly runId: unknown }[];
  readonly exchange: HttpExchange;
}

/** Reads the observer address. Throws `CouldNotRun` when its answer is not the agreed one. */
export async function observe({ receiver }: CheckContext): Promise<Observed> {
  const { json, exchange } = await receiver.observe();
  const listed = isRecord(json) ? json['handled'] : undefined;
  if (!Array.isArray(listed)) throw notAgreed();
  const handled = listed.map((entry: unknown) => {
    const { id, runId } = isRecord(entry) ? entry : {};
    if (typeof id !== 'string') throw notAgreed();
    return { id, runId };
  });
  return { handled, exchange };
}

/** Asks until the event has taken effect; what that leads to is judged afterwards. */
export async function seen(context: CheckContext, id: string): Promise<Observed> {
  const end = context.now() + TIMEOUT_MILLISECONDS;
  while (context.now() < end && !context.signal.aborted) {
    const observed = await observe(context);
    if (observed.handled.some((entry) => entry.id === id)) return observed;
    await pause(PAUSE_MILLISECONDS);
  }
  throw new Inconclusive(`the observer address did not list ${id}, which was accepted`);
}

function notAgreed(): CouldNotRun {
  return new CouldNotRun(
    'the observer address does not list what was handled',
    'let --observer URL answer { "handled": [{ "id", "runId", "type", "status" }] }',
  );
}

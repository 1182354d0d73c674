import { setTimeout as sleep } from 'node:timers/promises';

import type { CheckContext } from '../../check-kit/check.ts';
import type { ApiResponse } from '../../clients/api-client.ts';
import { isRecord } from '../../http/message.ts';
import type { SuiteEvent } from '../../signing/run-event.ts';
import { CouldNotRun } from '../../verdict/findings.ts';

/** How often the observer is read: the pause grows to the maximum. */
const PAUSE = { firstMilliseconds: 5, maxMilliseconds: 250 };
/** A shorter wait is not worth a word. */
const TOLD_AFTER_MILLISECONDS = 2_000;

/** What took effect in the receiver, as its observer lists it. */
export interface Listed {
  /** Ids of events, one for each effect, in the order of the run as the receiver sees it. */
  readonly handled: readonly string[];
  /** Its exchange costs time to show, so only a violation asks for it. */
  readonly response: ApiResponse;
}

/** How long to wait for the observer. */
interface Until {
  readonly isEnough: (handled: readonly string[]) => boolean;
  /** How long the list may stay as it is. */
  readonly standstillMilliseconds: (handled: readonly string[]) => number;
  /** An event that is waited for. */
  readonly wanted: SuiteEvent | undefined;
}

/** The list as soon as it is as asked for; null once it has not grown for too long. */
export async function listedWith(
  context: CheckContext,
  { isEnough, standstillMilliseconds, wanted }: Until,
): Promise<Listed | null> {
  const startedAt = context.now();
  let length = 0;
  let grownAt = startedAt;
  for (let wait = PAUSE.firstMilliseconds; ; wait = Math.min(wait * 2, PAUSE.maxMilliseconds)) {
    const listed = await list(context);
    const { handled } = listed;
    if (isEnough(handled)) return listed;
    const now = context.now();
    if (handled.length !== length) grownAt = now;
    length = handled.length;
    const limit = standstillMilliseconds(handled);
    if (now - grownAt > limit) return null;
    if (now - startedAt > TOLD_AFTER_MILLISECONDS) {
      const what = wanted === undefined ? 'an event' : `event ${wanted.id}`;
      context.notice(
        `Waiting for the observer to show ${what}, up to ${Math.ceil(limit / 1000)} s after its last change.`,
      );
    }
    await sleep(wait, undefined, { signal: context.signal });
  }
}

/** Reads the observer. Throws `CouldNotRun` for a response without the documented members. */
export async function list({ receiver }: CheckContext): Promise<Listed> {
  const response = await receiver.observe();
  const { json } = response;
  const listed = isRecord(json) ? json['handled'] : undefined;
  if (!Array.isArray(listed)) throw malformed();
  const handled = listed.map((entry: unknown) => {
    const id = isRecord(entry) ? entry['id'] : undefined;
    if (typeof id !== 'string') throw malformed();
    return id;
  });
  return { handled, response };
}

function malformed(): CouldNotRun {
  return new CouldNotRun(
    'the observer does not list the handled events',
    'respond to GET --observer URL with { "handled": [{ "id", "runId", "type", "status" }] }',
  );
}

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { ApiResponse } from '../../clients/api-client.ts';
import type { ReceiverRequest } from '../../clients/receiver-client.ts';
import type { CheckContext } from '../../check-kit/check.ts';
import { signDelivery } from '../../signing/delivery.ts';
import { testEvent } from '../../signing/run-event.ts';
import type { SuiteEvent } from '../../signing/run-event.ts';
import { Inconclusive, NoResponse, Violation } from '../../verdict/findings.ts';
import { retryAfterMilliseconds } from '../../wire/rate.ts';
import { isSuccess } from '../../http/message.ts';
import { tellSlowness } from './tell-slowness.ts';

/** A sender with a bounded backoff tries a valid delivery again after each of these responses. */
const VALID: Tries = { tries: 6, again: isTemporary };
/** A response to the load hides what the receiver says to an invalid delivery. */
const INVALID: Tries = { tries: 2, again: (response) => response === null || isBusy(response) };
/** It may be a refusal that a retry does not change. */
const UNCERTAIN: Tries = { ...VALID, tries: 4 };
const TRIES: Readonly<Record<Kind, Tries>> = {
  valid: VALID,
  invalid: INVALID,
  uncertain: UNCERTAIN,
};

/** What the suite knows about a delivery. */
export type Kind = 'valid' | 'invalid' | 'uncertain';
const A_VALID_DELIVERY = 'a valid delivery';
const FIRST_WAIT_MILLISECONDS = 50;
/** So many deliveries wait in vain for this time: more would make a run with a hanging receiver take minutes. */
const MAX_HANGING = 2;
const HANGING_MILLISECONDS = 5_000;
const MAX_WAIT_MILLISECONDS = 20_000;
/** Responses after which the contract's sender tries again, beside 5xx. */
const RETRIED = new Set([408, 425, 429]);

/** The last response to a delivery. Null: the receiver closed the connection without one. */
export type Settled = ApiResponse | null;

/** Whether a delivery got a 2xx. */
export function isAccepted(response: Settled): response is ApiResponse {
  return response !== null && isSuccess(response);
}

/** Makes a delivery for the current time; called again for each try. */
export type Make = () => ReceiverRequest;

/**
 * Delivers a valid event. Throws a violation unless it gets a 2xx, a retry after a temporary refusal included. If the
 * receiver refuses other valid deliveries too, by then, the check is inconclusive: it is gone, overloaded, or has blocked
 * the sender of so many forged deliveries.
 */
export async function expectAccepted(
  context: CheckContext,
  make: Make,
  what: string = A_VALID_DELIVERY,
): Promise<ApiResponse> {
  return judgeAccepted(context, make, what, await responseTo(context, make, 'valid'));
}

/**
 * Delivers a valid event several times at once, like `expectAccepted`. What is refused for now comes again by itself: a
 * receiver may refuse an event that it is accepting.
 */
export async function expectAcceptedAtOnce(
  context: CheckContext,
  make: Make,
  times: number,
  what: string,
): Promise<void> {
  const deliveries = Array.from({ length: times }, () => attempt(context, make()));
  for (const first of await Promise.all(deliveries)) {
    let response = first;
    if (isTemporary(first)) {
      await waitBefore(context, first, 1);
      response = await responseTo(context, make, 'valid');
    }
    await judgeAccepted(context, make, what, response);
  }
}

/**
 * Delivers valid events one after the other, like `expectAccepted`. What is refused for now comes again after the others,
 * as a sender would do it: a receiver may refuse a change until the creation of its run has arrived.
 */
export async function expectAllAccepted(
  context: CheckContext,
  events: readonly SuiteEvent[],
  what?: string,
): Promise<void> {
  let open = events;
  for (let round = 1; open.length > 0 && round <= VALID.tries; round += 1) {
    const refused: SuiteEvent[] = [];
    for (const event of open) {
      const make = signed(context, event);
      const response = await attempt(context, make());
      if (isTemporary(response)) refused.push(event);
      else await judgeAccepted(context, make, what, response);
    }
    if (refused.length === open.length) await waitBefore(context, null, round);
    open = refused;
  }
  for (const event of open) await expectAccepted(context, signed(context, event), what);
}

async function judgeAccepted(
  context: CheckContext,
  make: Make,
  what: string | undefined,
  response: Settled,
): Promise<ApiResponse> {
  if (isAccepted(response)) return response;
  await assumeAccepted(context, eventNow(context, 'control'));
  if (response !== null && !isBusy(response) && !isOfGateway(response)) {
    throw notAccepted(what ?? A_VALID_DELIVERY, response);
  }
  const last = await attempt(context, make());
  if (isAccepted(last)) return last;
  throw notAccepted(what ?? A_VALID_DELIVERY, last);
}

/**
 * Delivers something invalid. Throws a violation if it gets a 2xx. A closed connection is a refusal too, unless it is the
 * end of the receiver.
 */
export async function expectRefused(
  context: CheckContext,
  make: Make,
  about: { readonly what: string; readonly comment: string },
): Promise<void> {
  const response = await outcomeOf(context, make, 'invalid');
  if (!isAccepted(response)) return;
  throw new Violation({
    expected: `anything but a 2xx (${about.what})`,
    actual: `status ${response.status}`,
    message:
      `${about.what}: expected anything but a 2xx, got status ${response.status}. ${about.comment}`.trimEnd(),
    exchange: response.exchange,
  });
}

/** A precondition: unless this delivery succeeds, the check is inconclusive. */
export async function assumeAccepted(context: CheckContext, event: SuiteEvent): Promise<void> {
  const response = await responseTo(context, signed(context, event), 'valid');
  const got = response === null ? 'no response' : `status ${response.status}`;
  const isBlocked = response !== null && response.status < 500 && !isBusy(response);
  if (isAccepted(response)) return;
  const hint = isBlocked
    ? ' It accepted others before: it may block the sender of forged deliveries. Exempt the address of the suite.'
    : '';
  throw new Inconclusive(`Cannot judge: expected a 2xx for a valid delivery, got ${got}.${hint}`);
}

/** When a delivery is made again, and how often in all. */
interface Tries {
  readonly tries: number;
  readonly again: (response: Settled) => boolean;
}

/**
 * The response after the retries that suit a delivery of this kind. Without one, or with a 5xx, a valid delivery must
 * succeed afterwards: else the check is inconclusive.
 */
export async function outcomeOf(context: CheckContext, make: Make, kind: Kind): Promise<Settled> {
  const response = await responseTo(context, make, kind);
  if (response === null || response.status > 499) {
    await assumeAccepted(context, eventNow(context, 'alive'));
  }
  return response;
}

/** The response after the retries that suit a delivery of this kind, whatever became of the receiver. */
export async function responseTo(context: CheckContext, make: Make, kind: Kind): Promise<Settled> {
  return (await responsesTo(context, make, kind)).at(-1) ?? null;
}

/** The responses to a delivery and to the retries that suit its kind. */
export async function responsesTo(
  context: CheckContext,
  make: Make,
  kind: Kind,
): Promise<readonly Settled[]> {
  const { tries, again } = TRIES[kind];
  const responses: Settled[] = [];
  let hanging = 0;
  for (;;) {
    const startedAt = context.now();
    const response = await attempt(context, make());
    const milliseconds = context.now() - startedAt;
    responses.push(response);
    tellSlowness(context, milliseconds);
    if (response === null && milliseconds > HANGING_MILLISECONDS) hanging += 1;
    if (responses.length === tries || hanging === MAX_HANGING || !again(response)) return responses;
    await waitBefore(context, response, responses.length);
  }
}

/** An event, signed for the receiver's time at each try. */
export function signed(context: CheckContext, event: SuiteEvent, offsetSeconds = 0): Make {
  return () => signDelivery(event, context.receiver, receiverSeconds(context) + offsetSeconds);
}

/** The receiver's time in whole seconds, as far as it is known. */
export function receiverSeconds(context: CheckContext): number {
  const offset = context.receiver.clockOffsetMilliseconds ?? 0;
  return Math.floor((context.now() + offset) / 1000);
}

/** A test event about the creation of a run, which no other check uses. */
export function eventNow(context: CheckContext, label: string): SuiteEvent {
  return testEvent(uniqueName(context, label), context.now());
}

/** Letters and digits for the ids of one event. Checks that run at once may use a label in the same millisecond. */
export function uniqueName(context: CheckContext, label: string): string {
  return `suite${label}x${context.attempt}x${context.now()}x${randomBytes(4).toString('hex')}`;
}

async function attempt(context: CheckContext, request: ReceiverRequest): Promise<Settled> {
  try {
    return await context.receiver.deliver(request);
  } catch (error) {
    if (!(error instanceof NoResponse) || context.signal.aborted) throw error;
    return null;
  }
}

async function waitBefore(context: CheckContext, response: Settled, tried: number): Promise<void> {
  const header = response?.header('retry-after');
  const wait =
    header === undefined
      ? FIRST_WAIT_MILLISECONDS * 2 ** (tried - 1)
      : retryAfterMilliseconds(header, context.now());
  if (wait > MAX_WAIT_MILLISECONDS) {
    throw new Inconclusive(`The receiver asks for a retry after ${Math.round(wait / 1000)} s.`);
  }
  if (response !== null && isBusy(response)) context.receiver.pause(wait);
  else await sleep(wait, undefined, { signal: context.signal });
}

/** Whether the contract's sender delivers again after this. */
export function isTemporary(response: Settled): boolean {
  return response === null || response.status > 499 || RETRIED.has(response.status);
}

/** The contract's responses to a load: they say nothing about this delivery. */
function isBusy({ status }: ApiResponse): boolean {
  return status === 429 || status === 503;
}

/** What a gateway says for a receiver that does not respond. */
function isOfGateway({ status }: ApiResponse): boolean {
  return status === 502 || status === 504;
}

export function notAccepted(what: string, response: Settled): Violation {
  const location = response?.header('location');
  const actual =
    response === null
      ? 'a closed connection'
      : `status ${response.status}${location === undefined ? '' : ` to ${location}`}`;
  return new Violation({
    expected: `a 2xx (${what})`,
    actual,
    message: `${what}: expected a 2xx, got ${actual}`,
    ...(response === null ? {} : { exchange: response.exchange }),
  });
}

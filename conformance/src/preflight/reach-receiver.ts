import type { ApiResponse } from '../clients/api-client.ts';
import type { ReceiverClient, ReceiverRequest } from '../clients/receiver-client.ts';
import { receiverCode } from '../diagnosis/receiver-code.ts';
import { signDelivery } from '../signing/delivery.ts';
import { runEvent, testEvent } from '../signing/run-event.ts';
import type { SuiteEvent } from '../signing/run-event.ts';
import { NoResponse, Unreachable } from '../verdict/findings.ts';
import { retryAfterMilliseconds } from '../wire/rate.ts';
import { acceptedForgery } from './accepted-forgery.ts';
import type { AcceptedForgery } from './accepted-forgery.ts';
import { clockOffsetIn } from './clock-offset.ts';
import { reasonOfRefusal } from './refused-valid.ts';
import type { RefusalOfValid } from './refused-valid.ts';
import { isSuccess } from '../http/message.ts';

export interface ReachedReceiver {
  /** The receiver's clock minus the suite's, as far as it is known; null when the two seem to agree. */
  readonly clockOffsetMilliseconds: number | null;
  /** Why every valid delivery is refused; null when one is accepted, or the receiver asks to come again. */
  readonly refusal: RefusalOfValid | null;
  /** How it accepts deliveries whatever their signature; null when it does not. */
  readonly forgery: AcceptedForgery | null;
}

const GET: ReceiverRequest = { method: 'GET', headers: [], body: '' };
/** A Date further from the clock of the suite is believed only if the receiver accepts that time alone. */
const BELIEVED_MILLISECONDS = 30_000;
const TRIES = 3;
/** A receiver that asks for a longer wait is reached. */
const MAX_WAIT_MILLISECONDS = 2_000;

/**
 * Delivers test events that are signed with the time of the suite, then with that of the Date. Any response will do; a
 * receiver may also close the connection, so that the last try is a GET. Looks for the reason when all are refused, and whether forged
 * ones are accepted too.
 * Throws `Unreachable`.
 *
 * @param mayBeReal - whether the search may deliver a real event
 */
export async function reachReceiver(
  url: string,
  receiver: ReceiverClient,
  now: () => number,
  mayBeReal: boolean,
): Promise<ReachedReceiver> {
  const nameOf = (label: string): string => `suitepreflight${label}${now()}`;
  const created = await responseAt(receiver, now, 0, testEvent(nameOf('created'), now()));
  if (created === null) await respondsToGet(url, receiver);
  const offset = created === null ? null : clockOffsetIn(created.response, created.midway);
  const isNear = offset === null || Math.abs(offset) <= BELIEVED_MILLISECONDS;
  const reached = { clockOffsetMilliseconds: isNear ? offset : null, refusal: null, forgery: null };
  const send = (request: ReceiverRequest): Promise<ApiResponse | null> =>
    responseOrNull(receiver, request);
  if (created !== null && isSuccess(created.response)) {
    return { ...reached, forgery: await acceptedForgery(receiver, send, now) };
  }
  if (isAcceptedOrBusy(created)) {
    refuseStopped(url, created?.response ?? null);
    return reached;
  }
  if (!isNear) {
    const dated = await responseAt(receiver, now, offset, testEvent(nameOf('dated'), now()));
    if (dated !== null && isSuccess(dated.response)) {
      return { ...reached, clockOffsetMilliseconds: offset };
    }
  }
  // It may refuse this kind of event alone.
  const change = { previousStatus: 'pending', status: 'running', test: true } as const;
  const event = runEvent({ ...change, name: nameOf('changed'), at: now() });
  const changed = await responseAt(receiver, now, 0, event);
  if (isAcceptedOrBusy(changed)) return reached;
  const refusal = await reasonOfRefusal(changed?.response ?? null, receiver, send, now, mayBeReal);
  return { ...reached, refusal };
}

/** The last response to one event, tried again after a temporary refusal; null without any response. */
async function responseAt(
  receiver: ReceiverClient,
  now: () => number,
  offset: number,
  event: SuiteEvent,
): Promise<{ readonly response: ApiResponse; readonly midway: number } | null> {
  let last: { readonly response: ApiResponse; readonly midway: number } | null = null;
  for (let tried = 1; tried <= TRIES; tried += 1) {
    const sentAt = now();
    const seconds = Math.floor((sentAt + offset) / 1000);
    const response = await responseOrNull(receiver, signDelivery(event, receiver, seconds));
    if (response === null) continue;
    last = { response, midway: (sentAt + now()) / 2 };
    const wait = waitOf(response, now());
    if (wait === null || wait > MAX_WAIT_MILLISECONDS) return last;
    if (wait > 0) receiver.pause(wait);
  }
  return last;
}

async function responseOrNull(
  receiver: ReceiverClient,
  request: ReceiverRequest,
): Promise<ApiResponse | null> {
  try {
    return await receiver.deliver(request);
  } catch (error) {
    if (error instanceof NoResponse) return null;
    throw error;
  }
}

/** The wait before another try, in milliseconds; null when the response is final. */
function waitOf(response: ApiResponse, now: number): number | null {
  const { status } = response;
  if (status < 500 && status !== 408 && status !== 425 && status !== 429) return null;
  const header = response.header('retry-after');
  return header === undefined ? 0 : retryAfterMilliseconds(header, now);
}

async function respondsToGet(url: string, receiver: ReceiverClient): Promise<void> {
  try {
    await receiver.deliver(GET);
  } catch (error) {
    if (error instanceof NoResponse) throw new Unreachable(url, error.message, { cause: error });
    throw error;
  }
}

/** A receiver of this project that cannot accept anything says why. */
function refuseStopped(url: string, response: ApiResponse | null): void {
  const own = response === null ? null : receiverCode(response);
  if (own === null) return;
  const { cause, fix } = own.diagnosis;
  throw new Unreachable(url, `${cause} ${fix}`, { remedy: fix });
}

function isAcceptedOrBusy(tried: { readonly response: ApiResponse } | null): boolean {
  if (tried === null) return false;
  const { response } = tried;
  return isSuccess(response) || response.status === 429 || response.status === 503;
}

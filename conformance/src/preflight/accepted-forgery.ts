import { SIGNATURE_PREFIX } from '@hookproof/spec';

import type { ApiResponse } from '../clients/api-client.ts';
import type { ReceiverClient, ReceiverRequest } from '../clients/receiver-client.ts';
import { isSuccess } from '../http/message.ts';
import { signDelivery } from '../signing/delivery.ts';
import { testEvent } from '../signing/run-event.ts';

/** A receiver that accepts deliveries whatever their signature. */
export interface AcceptedForgery {
  /** The response to a delivery that another secret signs. */
  readonly response: ApiResponse;
  /** Whether it accepts a delivery of a day ago too. */
  readonly isAnyTime: boolean;
}

const OTHER_SECRET = 'whsec_YSBzZWNyZXQgdGhhdCBubyByZWNlaXZlciBoYXM=';
const SIGNATURE = 'webhook-signature';
const A_DAY = 86_400;

/**
 * Delivers test events that another secret signs, whose digest is made up, and whose body was changed after signing, as
 * long as they are accepted. Null for a receiver that refuses one of them.
 */
export async function acceptedForgery(
  receiver: ReceiverClient,
  send: (request: ReceiverRequest) => Promise<ApiResponse | null>,
  now: () => number,
): Promise<AcceptedForgery | null> {
  const signed = (label: string, secret: string, offset = 0): ReceiverRequest =>
    signDelivery(
      testEvent(`suiteforged${label}${now()}`, now()),
      { ...receiver, secret },
      Math.floor(now() / 1000) + offset,
    );
  const response = await send(signed('secret', OTHER_SECRET));
  if (response === null || !isSuccess(response)) return null;
  const { headers, ...rest } = signed('digest', receiver.secret);
  const forgeries = [
    { ...rest, headers: headers.map(withoutDigest) },
    withOtherBody(signed('body', receiver.secret)),
  ];
  for (const forgery of forgeries) if (!isAccepted(await send(forgery))) return null;
  const isAnyTime = isAccepted(await send(signed('time', receiver.secret, -A_DAY)));
  return { response, isAnyTime };
}

function isAccepted(response: ApiResponse | null): boolean {
  return response !== null && isSuccess(response);
}

function withoutDigest([name, value]: readonly [string, string]): readonly [string, string] {
  return [name, name === SIGNATURE ? SIGNATURE_PREFIX + '0'.repeat(64) : value];
}

function withOtherBody({ body, ...rest }: ReceiverRequest): ReceiverRequest {
  return { ...rest, body: String(body).replace('"pending"', '"running"') };
}

import type { HeaderPair } from '../http/exchange.ts';
import type { Outgoing } from '../http/message.ts';
import type { ReceiverTarget } from '../options/plan.ts';
import { REMEDIES } from '../options/facts.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { CouldNotRun } from '../verdict/findings.ts';
import type { GateSession } from '../wire/gate.ts';
import type { ApiResponse } from './api-client.ts';
import { responseOf } from './response.ts';

/** One request to the receiver under test, byte for byte. */
export interface ReceiverRequest {
  /** Default POST. */
  readonly method?: string;
  /** Sent in this order, repeats included. Only `host`, `connection` and `content-length` are added. */
  readonly headers: readonly HeaderPair[];
  readonly body: Uint8Array | string;
}

/** The receiver under test. A check that has access `read` sends test events only. */
export interface ReceiverClient {
  readonly secret: string;
  /** How the secret becomes key bytes: the whole string as UTF-8, or the part after `whsec_` as base64. */
  readonly secretEncoding: 'utf8' | 'base64';
  /** The receiver's clock minus the suite's, from the Date header, to the second; null without that header. */
  readonly clockOffsetMilliseconds: number | null;
  /** Sends one delivery and returns any status, 429 and 503 included. Throws `NoResponse` without a complete response. */
  deliver(request: ReceiverRequest): Promise<ApiResponse>;
  /** GETs the observer URL. Throws `CouldNotRun` without one: declare the need `receiver.observer`. */
  observe(): Promise<ApiResponse>;
}

/** The receiver client of one attempt. */
export function createReceiverClient(
  target: ReceiverTarget,
  clockOffsetMilliseconds: number | null,
  session: GateSession,
  redactor: Redactor,
): ReceiverClient {
  const send = async (outgoing: Outgoing): Promise<ApiResponse> =>
    responseOf(outgoing, await session.send('receiver', outgoing), redactor);

  return {
    secret: target.secret,
    secretEncoding: target.secretEncoding,
    clockOffsetMilliseconds,
    deliver: ({ method = 'POST', headers, body }) =>
      send({ method, url: target.url, headers, body: Buffer.from(body) }),
    observe() {
      if (target.observerUrl === null) {
        return Promise.reject(new CouldNotRun('no observer URL', REMEDIES.observer));
      }
      return send({ method: 'GET', url: target.observerUrl, headers: [], body: null });
    },
  };
}

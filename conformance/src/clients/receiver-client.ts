import type { HeaderPair } from '../http/exchange.ts';
import type { Outgoing } from '../http/message.ts';
import type { ReceiverTarget } from '../options/plan.ts';
import { optionRemedy } from '../options/remedies.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { CouldNotRun } from '../verdict/findings.ts';
import type { Gate, GateSession } from '../wire/gate.ts';
import { sendWithRetries } from '../wire/rate.ts';
import type { Through } from '../wire/rate.ts';
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
  /** An estimate of the receiver's clock minus the suite's. The checks allow it to be wrong by minutes. */
  readonly clockOffsetMilliseconds: number | null;
  /** Sends one delivery and returns any status, 429 and 503 included. Throws `NoResponse` without a complete response. */
  deliver(request: ReceiverRequest): Promise<ApiResponse>;
  /** Delays every request to the receiver, as it asks with 429 or 503. */
  pause(milliseconds: number): void;
  /**
   * GETs the observer URL, again after 429 and 503. Throws `CouldNotRun` without a URL: declare the need
   * `receiver.observer`.
   */
  observe(): Promise<ApiResponse>;
}

/** The receiver client of one attempt. */
export function createReceiverClient(
  target: ReceiverTarget,
  clockOffsetMilliseconds: number | null,
  session: GateSession,
  run: { readonly gate: Gate; readonly redactor: Redactor; readonly now: () => number },
): ReceiverClient {
  const pause = (milliseconds: number): void => run.gate.pause(milliseconds, 'receiver');
  const send = async (outgoing: Outgoing): Promise<ApiResponse> =>
    responseOf(outgoing, await session.send('receiver', outgoing), run.redactor);

  return {
    secret: target.secret,
    secretEncoding: target.secretEncoding,
    clockOffsetMilliseconds,
    deliver: ({ method = 'POST', headers, body }) =>
      send({ method, url: target.url, headers, body: Buffer.from(body) }),
    pause,
    async observe() {
      if (target.observerUrl === null)
        throw new CouldNotRun('no observer URL', optionRemedy('observer'));
      const outgoing = { method: 'GET', url: target.observerUrl, headers: [], body: null };
      const through: Through = {
        send: (repeat) => session.send('receiver', outgoing, repeat),
        pause,
        now: run.now,
      };
      return responseOf(outgoing, await sendWithRetries(outgoing, through), run.redactor);
    },
  };
}

import { CouldNotRun } from '../verdict/findings.ts';
import type { ReceiverClient } from './receiver-client.ts';
import { responseOf } from './response.ts';
import type { GateSession } from '../wire/gate.ts';
import type { Redactor } from '../redaction/redactor.ts';
import type { Outgoing } from '../wire/transport.ts';

/** The receiver under test, as the options name it. */
export interface ReceiverTarget {
  readonly url: string;
  readonly secret: string;
  readonly secretEncoding: 'utf8' | 'base64';
  readonly observerUrl: string | null;
}

/** The receiver client of one attempt. */
export function createReceiverClient(
  target: ReceiverTarget,
  clockOffsetMilliseconds: number | null,
  session: GateSession,
  redactor: Redactor,
): ReceiverClient {
  const send = async (outgoing: Outgoing): ReturnType<ReceiverClient['deliver']> =>
    responseOf(outgoing, await session.send('receiver', outgoing), redactor);

  return {
    secret: target.secret,
    secretEncoding: target.secretEncoding,
    clockOffsetMilliseconds,
    deliver: ({ method = 'POST', headers, body }) =>
      send({ method, url: target.url, headers, body: Buffer.from(body) }),
    observe() {
      if (target.observerUrl === null) {
        return Promise.reject(new CouldNotRun('no observer address', '--observer URL'));
      }
      return send({ method: 'GET', url: target.observerUrl, headers: [], body: null });
    },
  };
}

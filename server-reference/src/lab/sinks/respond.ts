import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

import type { Clock } from '../../platform/clock/clock.ts';
import type { Arrived, SentPost } from './exchange.ts';
import type { ScriptedResponse, ResetResponse, StatusResponse } from './script.ts';

export interface RespondTarget {
  readonly response: ServerResponse;
  readonly clock: Clock;
  /** The POST that is answered; null for a request that was not the sender's. */
  readonly sent: SentPost | null;
  /** Called when the response is given. */
  readonly given: (response: Arrived['response']) => void;
}

/** Gives an scripted, at once or when its time has come; never when nobody waits for it any more. */
export function respond(scripted: ScriptedResponse, target: RespondTarget): void {
  if ('hang' in scripted) {
    target.given('hang');
    target.sent?.pause();
    return;
  }
  const { afterMilliseconds = 0 } = scripted;
  if (afterMilliseconds === 0) give(scripted, target);
  else hold(scripted, target, afterMilliseconds);
}

function hold(
  scripted: StatusResponse | ResetResponse,
  target: RespondTarget,
  milliseconds: number,
): void {
  const { response, clock, sent } = target;
  sent?.pause();
  const forget = (): void => clock.clearTimeout(timer);
  const timer = clock.setTimeout(async () => {
    sent?.resume();
    give(scripted, target);
    // A virtual clock moves on when the response has left, not before.
    await once(response, 'close');
  }, milliseconds);
  response.once('close', forget);
  // The sender gives up by the clock; its connection is seen to end only some time after.
  void sent?.recorded.then(forget);
}

function give(scripted: StatusResponse | ResetResponse, { response, given }: RespondTarget): void {
  if ('reset' in scripted) {
    given('reset');
    response.req.socket.resetAndDestroy();
    return;
  }
  given(scripted.status);
  response.writeHead(scripted.status, { ...scripted.headers }).end(scripted.body ?? '');
}

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

import type { Clock } from '../../clock/clock.ts';
import type { Arrived, SentPost } from './exchange.ts';
import type { ScriptedResponse, ResetResponse, StatusResponse } from './script.ts';

interface RespondTarget {
  readonly response: ServerResponse;
  readonly clock: Clock;
  /** The POST of the sender; null for other requests. */
  readonly sent: SentPost | null;
  /** Called when the response is sent. */
  readonly given: (response: Arrived['response']) => void;
}

/** Sends a scripted response, immediately or after its delay, unless the client has disconnected. */
export function respond(scripted: ScriptedResponse, target: RespondTarget): void {
  if ('hang' in scripted) {
    target.given('hang');
    target.sent?.tracked.pause();
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
  sent?.tracked.pause();
  const cancel = (): void => clock.clearTimeout(timer);
  const timer = clock.setTimeout(async () => {
    sent?.tracked.resume();
    give(scripted, target);
    // A virtual clock continues when the response is sent.
    await once(response, 'close');
  }, milliseconds);
  response.once('close', cancel);
  // The sender times out by the clock; this side notices the closed connection later.
  sent?.signal.addEventListener('abort', cancel);
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

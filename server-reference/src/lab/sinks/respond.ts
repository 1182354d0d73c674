import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

import type { Clock } from '../../platform/clock/clock.ts';
import type { Arrived, SentPost } from './exchange.ts';
import type { Answer, ResetAnswer, StatusAnswer } from './script.ts';

export interface AnswerTarget {
  readonly response: ServerResponse;
  readonly clock: Clock;
  /** The POST that is answered; null for a request that was not the sender's. */
  readonly sent: SentPost | null;
  /** Called when the answer is given. */
  readonly given: (answer: Arrived['answer']) => void;
}

/** Gives an answer, at once or when its time has come; never when nobody waits for it any more. */
export function giveAnswer(answer: Answer, target: AnswerTarget): void {
  if ('hang' in answer) {
    target.given('hang');
    target.sent?.pause();
    return;
  }
  const { afterMilliseconds = 0 } = answer;
  if (afterMilliseconds === 0) give(answer, target);
  else hold(answer, target, afterMilliseconds);
}

function hold(
  answer: StatusAnswer | ResetAnswer,
  target: AnswerTarget,
  milliseconds: number,
): void {
  const { response, clock, sent } = target;
  sent?.pause();
  const forget = (): void => clock.clearTimeout(timer);
  const timer = clock.setTimeout(async () => {
    sent?.resume();
    give(answer, target);
    // A virtual clock moves on when the answer has left, not before.
    await once(response, 'close');
  }, milliseconds);
  response.once('close', forget);
  // The sender gives up by the clock; its connection is seen to end only some time after.
  void sent?.recorded.then(forget);
}

function give(answer: StatusAnswer | ResetAnswer, { response, given }: AnswerTarget): void {
  if ('reset' in answer) {
    given('reset');
    response.req.socket.resetAndDestroy();
    return;
  }
  given(answer.status);
  response.writeHead(answer.status, { ...answer.headers }).end(answer.body ?? '');
}

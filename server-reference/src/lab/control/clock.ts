import type { Clock as ClockView, ClockAdvance } from '@hookproof/spec/control';

import { CLOCK_TIMES, isClockTime, isoTime, isVirtualClock } from '../../clock/clock.ts';
import type { Clock } from '../../clock/clock.ts';
import { ROOT, invalidValue, refusal } from '../../errors.ts';
import type { ApiError } from '../../errors.ts';
import type { Feed } from '../activity/feed.ts';
import type { ControlRoute } from './operation.ts';
import type { LabServices } from './services.ts';

/** Routes to read the clock, and to advance a virtual clock. */
export function clockRoutes({ clock, feed }: LabServices): ControlRoute[] {
  return [
    {
      operationId: 'getClock',
      handle: async () => ({ status: 200, body: clockView(clock) }),
    },
    advanceRoute(clock, feed),
  ];
}

function advanceRoute(clock: Clock, feed: Feed): ControlRoute<ClockAdvance> {
  return {
    operationId: 'advanceClock',
    async handle({ body }) {
      if (!isVirtualClock(clock)) throw notVirtual();
      if (!isClockTime(clock.now() + body.milliseconds)) throw tooFar(clock);
      await clock.advance(body.milliseconds);
      const view = clockView(clock);
      feed.publish({ event: 'clock', data: view });
      return { status: 200, body: view };
    },
  };
}

function clockView(clock: Clock): ClockView {
  const now = isoTime(clock.now());
  if (!isVirtualClock(clock)) return { mode: 'real', now };
  const nextDueAt = clock.nextDueAt();
  const isReachable = nextDueAt !== null && isClockTime(nextDueAt);
  return { mode: 'virtual', now, nextDueAt: isReachable ? isoTime(nextDueAt) : null };
}

function notVirtual(): ApiError {
  const message = 'the clock must be virtual to be advanced, got a real clock';
  return refusal('clock_not_virtual', ROOT, message, {
    hint: 'Start the server with hookproof serve --clock virtual.',
  });
}

function tooFar(clock: Clock): ApiError {
  const message = `must leave the clock ${CLOCK_TIMES}; it is ${isoTime(clock.now())}`;
  return invalidValue('milliseconds', message);
}

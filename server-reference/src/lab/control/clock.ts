import type { Clock as ClockView, ClockAdvance } from '@hookproof/spec/control';

import { isVirtualClock, isoTime } from '../../platform/clock/clock.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { ApiError, ROOT } from '../../platform/http/api-error.ts';
import type { ActivityFeed } from '../activity/feed.ts';
import { labIssue } from '../error-codes.ts';
import type { LabServices } from './services.ts';
import type { ControlRoute } from './operation.ts';

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

function advanceRoute(clock: Clock, feed: ActivityFeed): ControlRoute<ClockAdvance> {
  return {
    operationId: 'advanceClock',
    async handle({ body }) {
      if (!isVirtualClock(clock)) throw notVirtual();
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
  return { mode: 'virtual', now, nextDueAt: nextDueAt === null ? null : isoTime(nextDueAt) };
}

function notVirtual(): ApiError {
  const message = 'the clock must be virtual to be advanced, got a real clock';
  return new ApiError(409, [labIssue('clock_not_virtual', ROOT, message)], {
    hint: 'Start the server with hookproof serve --clock virtual.',
  });
}

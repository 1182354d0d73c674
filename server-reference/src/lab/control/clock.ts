import type { Clock as ClockView, ClockAdvance } from '@hookproof/spec/control';

import { isVirtualClock } from '../../platform/clock/clock.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { ApiError, ROOT } from '../../platform/http/api-error.ts';
import { labIssue } from '../error-codes.ts';
import type { LabServices } from './services.ts';
import type { ControlRoute } from './operation.ts';

/** Routes to read the clock, and to advance a virtual clock. */
export function clockRoutes({ clock }: LabServices): ControlRoute[] {
  return [
    {
      operationId: 'getClock',
      handle: async () => ({ status: 200, body: clockView(clock) }),
    },
    advanceRoute(clock),
  ];
}

function advanceRoute(clock: Clock): ControlRoute<ClockAdvance> {
  return {
    operationId: 'advanceClock',
    async handle({ body }) {
      if (!isVirtualClock(clock)) throw notVirtual();
      await clock.advance(body.milliseconds);
      return { status: 200, body: clockView(clock) };
    },
  };
}

function clockView(clock: Clock): ClockView {
  const mode = isVirtualClock(clock) ? 'virtual' : 'real';
  return { mode, now: new Date(clock.now()).toISOString() };
}

function notVirtual(): ApiError {
  const message = 'the clock must be virtual to be advanced, got a real clock';
  return new ApiError(409, [labIssue('clock_not_virtual', ROOT, message)], {
    hint: 'Start the server with hookproof serve --clock virtual.',
  });
}

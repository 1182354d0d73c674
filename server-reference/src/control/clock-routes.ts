import { ApiError, ROOT, issue } from '../app/api-error.ts';
import { isVirtualClock } from '../clock/clock.ts';
import type { Clock } from '../clock/clock.ts';
import type { ControlRoute } from './control-route.ts';
import type { Services } from '../app/handler.ts';

/** A year and a day: no wait of the server is longer. */
export const LONGEST_STEP_MILLISECONDS = 31_622_400_000;

/** Time: read it, and move it where it is virtual. */
export function clockRoutes({ clock }: Services): ControlRoute[] {
  return [
    {
      method: 'GET',
      path: '/clock',
      handle: async () => ({ status: 200, body: clockView(clock) }),
    },
    advanceRoute(clock),
  ];
}

function advanceRoute(clock: Clock): ControlRoute<{ readonly milliseconds: number }> {
  return {
    method: 'POST',
    path: '/clock/advance',
    bodySchema: {
      type: 'object',
      additionalProperties: false,
      required: ['milliseconds'],
      properties: {
        milliseconds: { type: 'integer', minimum: 0, maximum: LONGEST_STEP_MILLISECONDS },
      },
    },
    async handle({ body }) {
      if (!isVirtualClock(clock)) throw notVirtual();
      await clock.advance(body.milliseconds);
      return { status: 200, body: clockView(clock) };
    },
  };
}

function clockView(clock: Clock): { mode: 'real' | 'virtual'; now: string } {
  const mode = isVirtualClock(clock) ? 'virtual' : 'real';
  return { mode, now: new Date(clock.now()).toISOString() };
}

function notVirtual(): ApiError {
  const message = 'the clock of this server is real, so it cannot be advanced';
  return new ApiError(409, [issue('clock_not_virtual', ROOT, message)], {
    hint: 'Start the server with a virtual clock: hookproof serve --clock virtual',
  });
}

import type { RunStatus } from '@hookproof/spec';
import { setTimeout as pause } from 'node:timers/promises';

import type { Check } from '../../check-kit/check.ts';
import type { ControlledRun } from '../../clients/control-client.ts';
import type { DrivenEndpoint } from '../../driver/sender-driver.ts';
import { ACCEPTED } from '../../listener/delivery.ts';
import { Inconclusive, Violation } from '../../verdict/findings.ts';
import { missingStatuses } from './arrivals.ts';
import { withEndpoint } from './with-endpoint.ts';
import { sender } from './sender-check.ts';
import { settle } from './scenes/scene.ts';

/** Less than the time limit of a request to the control interface. */
const MAX_HELD_MILLISECONDS = 9_000;
const MOVES: readonly RunStatus[] = ['running', 'pending', 'cancelled'];
/** How much longer an operation may take while deliveries are held. */
const MARGIN_MILLISECONDS = 2_000;

/** Runs whose endpoint sends no responses, after one whose endpoint does. */
export const senderAsynchronyChecks: readonly Check[] = [
  sender.check({
    name: 'asynchronous',
    requirements: ['delivery.asynchronous'],
    needs: ['driver', 'control'],
    title: 'a run is created and changes status while its deliveries get no response',
    async run(context) {
      let isHolding = false;
      await withEndpoint(
        context,
        () => (isHolding ? 'hold' : ACCEPTED),
        async (driven) => {
          const { listener } = driven;
          const [quick, creation] = await timed(() => driven.createRun());
          const [status, move] = await timed(() => firstMove(driven, quick));
          await driven.wait(
            () => missingStatuses(listener.deliveries, quick, [status]).length === 0,
          );
          isHolding = true;
          const created = driven.createRun();
          const run = await whileHeld(driven, 'the creation of a run', created, creation);
          await atLeastOneHeld(driven);
          await whileHeld(driven, `a move to ${status}`, driven.move(run, status), move);
        },
      );
    },
  }),
];

/** Moves a run to the first status that its deployment admits. */
async function firstMove(driven: DrivenEndpoint, run: ControlledRun): Promise<RunStatus> {
  for (const status of MOVES) {
    const [moved] = await settle(driven.move(run, status));
    if (moved !== undefined) return status;
  }
  throw new Inconclusive(`Cannot judge: run ${run.id} cannot be moved to ${MOVES.join(', ')}.`);
}

async function timed<Value>(work: () => Promise<Value>): Promise<readonly [Value, number]> {
  const started = performance.now();
  return [await work(), performance.now() - started];
}

async function atLeastOneHeld(driven: DrivenEndpoint): Promise<void> {
  const { listener } = driven;
  if (listener.held === 0) await listener.arrival(MARGIN_MILLISECONDS);
  if (listener.held === 0) await driven.wait(() => listener.held > 0);
  if (listener.held === 0) throw new Inconclusive('Cannot judge: no delivery arrived.');
}

/** Work that must end while its deliveries are held; a violation when it ends only after their responses. */
async function whileHeld<Value>(
  { listener }: DrivenEndpoint,
  what: string,
  work: Promise<Value>,
  usualMilliseconds: number,
): Promise<Value> {
  const limitMilliseconds = usualMilliseconds + MARGIN_MILLISECONDS;
  if (limitMilliseconds > MAX_HELD_MILLISECONDS) {
    throw new Inconclusive(`Cannot judge: ${what} takes ${usualMilliseconds} ms.`);
  }
  const limit = pause(limitMilliseconds, false, { ref: false });
  if (await Promise.race([work.then(() => true), limit])) return work;
  const { held } = listener;
  listener.release();
  const [, afterwards] = await timed(() => work);
  // Work that is only slow does not end with the responses.
  if (held === 0 || afterwards > MARGIN_MILLISECONDS / 2) {
    throw new Inconclusive(`Cannot judge: ${what} took longer than ${limitMilliseconds} ms.`);
  }
  throw new Violation({
    expected: `${what} that does not wait for deliveries`,
    actual: `it ended after the responses to ${held} deliveries, ${limitMilliseconds} ms after its start`,
  });
}

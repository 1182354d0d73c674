import { area } from '../../check-kit/area.ts';
import type { Area } from '../../check-kit/area.ts';
import type { CheckContext } from '../../check-kit/check.ts';
import { Inconclusive, Violation } from '../../verdict/findings.ts';
import { assumeAccepted } from './deliver.ts';
import {
  graceFor,
  noteStop,
  reliableHandlingOf,
  STANDSTILL_MILLISECONDS,
  STOPPED,
} from './handling.ts';
import type { Handling } from './handling.ts';
import { list, listedWith } from './observer.ts';
import type { Listed } from './observer.ts';
import { PATHS, runOf } from './real-run.ts';
import type { Path, RealEvent } from './real-run.ts';

/** Two ends, so that a receiver which misses one of them is judged too. */
const LATER_RUNS = 2;
const CREATION: Path = ['pending'];

/** A test event has no effect, so checks of effects deliver real events, and count as writes. */
export const receiverEffect: Area = area('receiver', {
  access: 'write',
  needs: ['receiver', 'receiver.observer'],
  // The first one waits for what all of them share.
  timeoutMilliseconds: 300_000,
});

/** What took effect after the deliveries of a check. */
export interface Observed extends Listed {
  readonly handling: Handling;
}

/**
 * What has taken effect after all deliveries of a check. Later runs show how long the receiver takes; a `wanted` event
 * that is still missing long after the end of one of them has no effect.
 */
export async function afterLater(
  context: CheckContext,
  label: string,
  wanted: readonly RealEvent[],
): Promise<Observed> {
  const handling = await reliableHandlingOf(context);
  const later = handledPaths(handling, PATHS.toReversed())
    .slice(0, LATER_RUNS)
    .map(({ path, runType }, index) => runOf(context, `${label}later${index}`, path, { runType }));
  const startedAt = context.now();
  for (const event of later.flat()) await assumeAccepted(context, event);
  const ends = later.flatMap((run) => run.slice(-1));
  const known = await listedWith(context, {
    isEnough: (handled) => ends.some(({ id }) => handled.includes(id)),
    standstillMilliseconds: () => STANDSTILL_MILLISECONDS,
    wanted: ends[0],
  });
  if (known === null) throw await standstill(context, ends);
  const expected = wanted.filter((event) => handling.isHandled(event));
  const end = context.now() + graceFor(context.now() - startedAt);
  const complete = await listedWith(context, {
    isEnough: (handled) => context.now() > end || expected.every(({ id }) => handled.includes(id)),
    standstillMilliseconds: () => STANDSTILL_MILLISECONDS,
    wanted: expected[0],
  });
  return { ...(complete ?? (await list(context))), handling };
}

/** An event that takes effect, and those of its run before it. */
interface HandledRun {
  readonly before: readonly RealEvent[];
  readonly event: RealEvent;
}

/** The beginning of a new run, up to an event that takes effect: its creation, unless the receiver ignores creations. */
export async function handledRun(context: CheckContext, label: string): Promise<HandledRun> {
  const handling = await reliableHandlingOf(context);
  const [found] = handledPaths(handling, [CREATION, ...PATHS]);
  if (found === undefined) throw new Inconclusive('Cannot judge: no event takes effect.');
  const run = runOf(context, label, found.path, { runType: found.runType });
  const event = run.at(-1);
  if (event === undefined) throw new TypeError('a run has an event');
  return { before: run.slice(0, -1), event };
}

/** Runs up to the last of their events that takes effect. */
function handledPaths(
  handling: Handling,
  paths: readonly Path[],
): readonly { readonly path: Path; readonly runType: 'workflow' | 'agent' }[] {
  return (['workflow', 'agent'] as const).flatMap((runType) =>
    paths.flatMap((path) => {
      const last = path.findLastIndex((status, position) => {
        const kind = { runType, status, previousStatus: path[position - 1] };
        return handling.isHandled({ id: '', body: '', kind });
      });
      return last < 0 ? [] : [{ path: path.slice(0, last + 1), runType }];
    }),
  );
}

/** Accepted events of kinds that took effect before take none any more. Throws where another check reports it. */
async function standstill(context: CheckContext, [end]: readonly RealEvent[]): Promise<Violation> {
  noteStop(context);
  const { response } = await list(context);
  return new Violation({
    expected: `an effect of ${end?.id}, as of earlier events of its kind`,
    actual: `none within ${STANDSTILL_MILLISECONDS / 1000} s`,
    diagnosis: STOPPED,
    exchange: response.exchange,
  });
}

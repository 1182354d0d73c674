import type { CheckContext } from '../../check-kit/check.ts';
import { Inconclusive } from '../../verdict/findings.ts';
import { assumeAccepted, eventNow, isAccepted, outcomeOf, signed } from './deliver.ts';
import type { Kind, Settled } from './deliver.ts';

/** Offsets in seconds from the suite's idea of the receiver's time. */
export interface AcceptedWindow {
  readonly oldest: number;
  readonly newest: number;
  /** How far the distance between the two may be from the real one. */
  readonly uncertainty: number;
  /** The delivery with the oldest and the one with the newest accepted timestamp. */
  readonly responses: readonly Settled[];
}

/** A window that is wider on one side counts as this wide. */
const FARTHEST_SECONDS = 1_200;
/** Whole seconds at both edges, on both clocks. */
const ROUNDING_SECONDS = 4;
const MAX_DELIVERY_SECONDS = 5;

/** A delivery with a timestamp this far from now. */
export async function probe(
  context: CheckContext,
  label: string,
  offset: number,
  kind: Kind = 'uncertain',
): Promise<{
  readonly isAccepted: boolean;
  readonly seconds: number;
  readonly response: Settled;
}> {
  const make = signed(context, eventNow(context, label), offset);
  let sentAt = context.now();
  const response = await outcomeOf(
    context,
    () => {
      sentAt = context.now();
      return make();
    },
    kind,
  );
  return {
    isAccepted: isAccepted(response),
    seconds: (context.now() - sentAt) / 1000,
    response,
  };
}

/** Searches the oldest and the newest timestamp that the receiver accepts. Throws `Inconclusive` if it is too slow. */
export async function acceptedWindow(
  context: CheckContext,
  label: string,
): Promise<AcceptedWindow> {
  const now = eventNow(context, `${label}now`);
  await assumeAccepted(context, now);
  const past = await edge(context, `${label}past`, -1);
  const future = await edge(context, `${label}future`, 1);
  const slowest = Math.max(past.slowest, future.slowest);
  if (slowest > MAX_DELIVERY_SECONDS) {
    throw new Inconclusive(
      `A delivery took ${Math.round(slowest)} s: the timestamp may have passed the edge on the way.`,
    );
  }
  return {
    oldest: -past.distance,
    newest: future.distance,
    uncertainty: ROUNDING_SECONDS + 2 * Math.ceil(slowest),
    responses: [past.response, future.response],
  };
}

/** The distance of the last accepted timestamp on one side, by halves. */
async function edge(
  context: CheckContext,
  label: string,
  sign: 1 | -1,
): Promise<{
  readonly distance: number;
  readonly slowest: number;
  readonly response: Settled;
}> {
  let accepted = 0;
  let refused = FARTHEST_SECONDS + 1;
  let slowest = 0;
  let response: Settled = null;
  let next = FARTHEST_SECONDS;
  while (refused - accepted > 1) {
    const probed = await probe(context, `${label}${next}`, sign * next);
    slowest = Math.max(slowest, probed.seconds);
    if (probed.isAccepted) {
      accepted = next;
      response = probed.response;
    } else {
      refused = next;
    }
    next = Math.floor((accepted + refused) / 2);
  }
  return { distance: accepted, slowest, response };
}

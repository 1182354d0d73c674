import type { HandlingContext } from '../handlers.ts';
import type { Timeline } from '../order/resolve-timeline.ts';

/** Says of an event about to be handled whether its place in the order is proven, and what is missing. */
export function orderOf(
  id: string,
  timeline: Timeline,
  isUnsettled: (id: string) => boolean,
): Pick<HandlingContext, 'order' | 'missing'> {
  const place = timeline.steps.findIndex((step) => step.id === id);
  if (place < 0) return { order: 'unproven', missing: timeline.gaps };
  const missing = timeline.gaps.filter(({ index }) => index <= place);
  const isInTurn = timeline.steps.every((step, index) =>
    index < place ? !isUnsettled(step.id) : isUnsettled(step.id),
  );
  return { order: missing.length === 0 && isInTurn ? 'proven' : 'unproven', missing };
}

import { SIDES } from '../options/options.ts';
import type { Side } from '../options/options.ts';
import type { Check } from './check.ts';

/** What the checks of an area have in common. Each check may state a value of its own instead. */
type Frame = Pick<Check, 'access' | 'needs' | 'exclusive' | 'timeoutMilliseconds'>;

/** A check as its file states it: its id is the area and the name, and the frame of the area fills in the rest. */
export interface AreaCheck extends Pick<Check, 'requirements' | 'title' | 'run'>, Partial<Frame> {
  readonly name: string;
}

export interface Area {
  check(own: AreaCheck): Check;
}

/**
 * The frame of checks whose ids start alike.
 *
 * @param prefix How their ids start: the side, and for most areas one more name, such as `api.inbox`.
 */
export function area(prefix: Side | `${Side}.${string}`, frame: Frame): Area {
  const side = SIDES.find((one) => prefix.split('.')[0] === one);
  if (side === undefined) throw new TypeError(`area ${prefix} is of no side`);
  return {
    check: ({ name, ...own }) => ({ ...frame, ...own, id: `${prefix}.${name}`, side }),
  };
}

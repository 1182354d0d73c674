import { SIDES } from '../options/options.ts';
import type { Side } from '../options/options.ts';
import type { Check } from './check.ts';

/** What the checks of an area have in common. A check may override it. */
type Frame = Pick<Check, 'access' | 'needs' | 'exclusive' | 'timeoutMilliseconds'>;

/** A check as its file declares it. Its id is the prefix of the area and its name. */
export interface AreaCheck extends Pick<Check, 'requirements' | 'title' | 'run'>, Partial<Frame> {
  readonly name: string;
}

export interface Area {
  check(own: AreaCheck): Check;
}

/**
 * Declares the frame of checks whose ids share a prefix.
 *
 * @param prefix - the side, and for most areas one more name, such as `api.inbox`
 */
export function area(prefix: Side | `${Side}.${string}`, frame: Frame): Area {
  const side = SIDES.find((one) => prefix.split('.')[0] === one);
  if (side === undefined)
    throw new TypeError(`area ${prefix} must start with one of ${SIDES.join(', ')}`);
  return {
    check: ({ name, ...own }) => ({ ...frame, ...own, id: `${prefix}.${name}`, side }),
  };
}

import type { Check } from '../check-kit/check.ts';
import type { Plan } from '../options/plan.ts';
import type { Finding } from '../verdict/verdict.ts';
import type { Discovery } from '../discover/discovery.ts';
import { missingOf } from './needs.ts';

/** The checks of the selected sides, cut down to `only`. Throws `TypeError` for an `only` that selects nothing. */
export function selectChecks(catalogue: readonly Check[], plan: Plan): readonly Check[] {
  const ofSides = catalogue.filter(({ side }) => plan.sides.includes(side));
  if (plan.only.length === 0) return ofSides;
  const wanted = new Set(plan.only.flatMap((text) => matching(text, catalogue, plan)));
  return ofSides.filter((check) => wanted.has(check));
}

/** An exact id stands for itself, even when other ids begin with it. */
function matching(text: string, catalogue: readonly Check[], plan: Plan): readonly Check[] {
  const exact = catalogue.filter(({ id }) => id === text);
  const found = exact.length > 0 ? exact : catalogue.filter(({ id }) => id.startsWith(text));
  if (found.length === 0) {
    throw new TypeError(`only: no check is called "${text}" and no id begins with it`);
  }
  const selected = found.filter(({ side }) => plan.sides.includes(side));
  if (selected.length > 0) return selected;
  throw new TypeError(
    `only: "${text}" is on the ${found[0]?.side} side, which this run does not look at: select that side too`,
  );
}

/** Why a check is not to be run, as its finding; null when it may run. An observer, a size cap, a real clock and locks come first: they are chosen, not lacking. */
export function obstacleTo(check: Check, plan: Plan, discovery: Discovery): Finding | null {
  if (check.needs.includes('receiver.observer') && plan.receiver?.observerUrl === null) {
    const message = 'effects are judged where --observer URL shows them';
    return { kind: 'not-applicable', message, locked: false };
  }
  const { bodyLimitBytes } = discovery.facts.fixtures;
  if (check.needs.includes('fixture.bodyLimitBytes') && bodyLimitBytes === undefined) {
    const message = 'the size cap is judged where fixtures.json tells it as bodyLimitBytes';
    return { kind: 'not-applicable', message, locked: false };
  }
  if (check.needs.includes('control.virtual-clock') && discovery.control?.clockMode === 'real') {
    const message = 'what takes hours is judged where the clock of the deployment is virtual';
    return { kind: 'not-applicable', message, locked: false };
  }
  const flag = lockOf(check, plan);
  if (flag !== null && check.side === 'sender') {
    return { kind: 'could-not-run', message: 'the sender side needs writes', remedy: flag };
  }
  if (flag !== null) {
    return { kind: 'not-applicable', message: `locked: add ${flag}`, locked: true };
  }
  for (const need of check.needs) {
    const missing = missingOf(need, plan, discovery);
    if (missing !== null) return { kind: 'could-not-run', ...missing };
  }
  return null;
}

/**
 * The flag that would unlock a check. Deliveries of test events to a named receiver are reads and need none. A check
 * that deletes makes a world of its own first where there is a control interface, which is a write.
 */
function lockOf(
  { side, access }: Check,
  { allowWrites, allowDeletes, control }: Plan,
): string | null {
  if (side === 'sender') return allowWrites ? null : '--allow-writes';
  if (access === 'write' && !allowWrites) return '--allow-writes';
  if (access === 'delete' && !allowDeletes) return '--allow-deletes';
  if (access === 'delete' && control !== null && !allowWrites) return '--allow-writes';
  return null;
}

import { loadRequirements } from '@hookproof/spec/requirements';
import type { Requirement } from '@hookproof/spec/requirements';

import type { Check, Need } from '../check-kit/check.ts';
import { checks } from '../checks/catalogue.ts';
import type { Discovery } from '../discover/discover.ts';
import { LISTED_FIXTURES } from '../discover/walk-lists.ts';
import { FIXTURE_NAMES, KEY_NAMES } from '../options/facts.ts';
import type { Fact } from '../options/facts.ts';
import type { ConformanceOptions, Side } from '../options/options.ts';
import { planFrom } from '../options/plan.ts';
import type { Plan } from '../options/plan.ts';
import { requirementOf } from '../report/describe-check.ts';
import { obstacleTo, selectChecks } from '../select/select.ts';
import type { Level } from '../verdict/verdict.ts';
import type { Access } from '../wire/gate-rules.ts';

/** One check of the catalogue, and whether it would run. */
export interface ListedCheck {
  readonly id: string;
  readonly side: Side;
  readonly level: Level;
  readonly access: Access;
  readonly requirement: string;
  readonly title: string;
  readonly needs: readonly Need[];
  /** `not-selected`: the options leave out its side or the check itself. */
  readonly state: 'runs' | 'could-not-run' | 'locked' | 'not-applicable' | 'not-selected';
  /** Every option and line to add, so that it runs. */
  readonly add: readonly string[];
}

/**
 * Lists all checks, with what a run with these options would do with each. Sends nothing: what lists or a control
 * interface usually supply counts as known. Throws `TypeError` for invalid options.
 *
 * @example
 * ```ts
 * import { listChecks } from '@hookproof/conformance';
 *
 * const listed = listChecks({ baseUrl: 'https://api.example.com', key: 'a-key-of-mine' });
 * console.log(listed.filter(({ state }) => state === 'runs').length);
 * ```
 */
export function listChecks(options: ConformanceOptions): readonly ListedCheck[] {
  const { baseUrl, sender, receiver } = options;
  const hasSide = baseUrl !== undefined || receiver !== undefined || sender === true;
  const plan = hasSide ? planFrom(options) : null;
  const selected = new Set(plan === null ? [] : selectChecks(checks, plan));
  const requirements = loadRequirements();
  return checks.map((check) => {
    const chosen = plan !== null && selected.has(check);
    const obstacle = chosen ? obstacleTo(check, plan, assumed(plan)) : undefined;
    return listed(check, requirementOf(check, requirements), stateOf(obstacle));
  });
}

function listed(
  { id, side, access, requirements: [requirement], title, needs }: Check,
  { keyword: level }: Requirement,
  { state, add }: Pick<ListedCheck, 'state' | 'add'>,
): ListedCheck {
  return { id, side, level, access, requirement, title, needs, state, add };
}

function stateOf(
  obstacle: ReturnType<typeof obstacleTo> | undefined,
): Pick<ListedCheck, 'state' | 'add'> {
  if (obstacle === undefined) return { state: 'not-selected', add: [] };
  if (obstacle === null) return { state: 'runs', add: [] };
  if (obstacle.kind === 'could-not-run') {
    return { state: 'could-not-run', add: obstacle.remedies.map(({ text }) => text) };
  }
  if (obstacle.kind !== 'locked') return { state: 'not-applicable', add: [] };
  return { state: 'locked', add: [obstacle.message.replace(/^locked: add /, '')] };
}

/** What a run would find out, if its target has everything that lists can show. */
function assumed({ keys, fixtures, control, baseUrl }: Plan): Discovery {
  const fromLists = baseUrl !== null && keys.main !== undefined ? LISTED_FIXTURES : [];
  return {
    facts: {
      keys: known(control === null ? Object.keys(keys) : KEY_NAMES),
      fixtures: known(control === null ? [...fromLists, ...Object.keys(fixtures)] : FIXTURE_NAMES),
    },
    api: null,
    control: control === null ? null : { world: null, clockMode: 'virtual', problem: null },
    receiver: null,
    gone: new Map(),
    recording: null,
  };
}

function known(names: readonly string[]): Record<string, Fact> {
  return Object.fromEntries(names.map((name) => [name, { value: name, source: 'assumed' }]));
}

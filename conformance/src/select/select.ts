import type { Check, Need } from '../check-kit/check.ts';
import type { Discovery } from '../discover/discover.ts';
import { FIXTURE_NAMES, KEY_NAMES } from '../options/facts.ts';
import { fixtureRemedy, keyRemedy, optionRemedy } from '../options/remedies.ts';
import type { Remedy } from '../verdict/remedy.ts';
import type { FixtureName, KeyName } from '../options/facts.ts';
import type { Plan } from '../options/plan.ts';
import type { Finding } from '../verdict/findings.ts';

/** The checks of the selected sides, reduced to `only` and without `skip`. Throws `TypeError` for a pattern without a check. */
export function selectChecks(catalogue: readonly Check[], plan: Plan): readonly Check[] {
  const { sides, only, skip } = plan;
  const skipped = new Set(skip.flatMap((pattern) => matching('skip', pattern, catalogue)));
  const wanted = new Set(
    only.flatMap((pattern) => ofSides(pattern, matching('only', pattern, catalogue), plan)),
  );
  return catalogue.filter(
    (check) =>
      sides.includes(check.side) && !skipped.has(check) && (only.length === 0 || wanted.has(check)),
  );
}

/** An exact id selects one check, even when it is a prefix of other ids. */
function matching(
  option: 'only' | 'skip',
  pattern: string,
  catalogue: readonly Check[],
): readonly Check[] {
  const exact = catalogue.filter(({ id }) => id === pattern);
  const found = exact.length > 0 ? exact : catalogue.filter(({ id }) => id.startsWith(pattern));
  if (found.length > 0) return found;
  throw new TypeError(`${option}: no check has the id or id prefix "${pattern}".`);
}

function ofSides(pattern: string, found: readonly Check[], { sides }: Plan): readonly Check[] {
  const selected = found.filter(({ side }) => sides.includes(side));
  if (selected.length > 0) return selected;
  throw new TypeError(
    `only: "${pattern}" is on the ${found[0]?.side} side, which is not selected: select that side too.`,
  );
}

/** Why a check is not run, as its finding; null when it may run. What the user chose comes first, then what is missing. */
export function obstacleTo(check: Check, plan: Plan, discovery: Discovery): Finding | null {
  const reason = inapplicable(check, plan, discovery);
  if (reason !== null) return { kind: 'not-applicable', message: reason };
  const flag = lockOf(check, plan);
  if (flag !== null && check.side === 'sender') {
    return {
      kind: 'could-not-run',
      message: 'the sender side needs writes',
      remedies: [{ text: flag }],
    };
  }
  if (flag !== null) return { kind: 'locked', message: `locked: add ${flag}` };
  return lackOf(check.needs, plan, discovery);
}

/** Everything that is missing for some needs, as one finding; null without a lack. */
function lackOf(needs: readonly Need[], plan: Plan, discovery: Discovery): Finding | null {
  const lacks = needs
    .map((need) => missingOf(need, plan, discovery))
    .filter((missing) => missing !== null);
  if (lacks.length === 0) return null;
  return {
    kind: 'could-not-run',
    message: [...new Set(lacks.map(({ message }) => message))].join('; '),
    remedies: [...new Map(lacks.map(({ remedy }) => [remedy.text, remedy])).values()],
  };
}

function inapplicable({ needs }: Check, plan: Plan, discovery: Discovery): string | null {
  if (needs.includes('receiver.observer') && plan.receiver?.observerUrl === null) {
    return 'effects are judged only with --observer URL';
  }
  const { bodyLimitBytes } = discovery.facts.fixtures;
  if (needs.includes('fixture.bodyLimitBytes') && bodyLimitBytes === undefined) {
    return 'the size limit is judged only with bodyLimitBytes in fixtures.json';
  }
  if (needs.includes('control.virtual-clock') && discovery.control?.clockMode === 'real') {
    return 'behavior over hours is judged only on a virtual clock';
  }
  return null;
}

/**
 * The flag that unlocks a check. Test events to a named receiver are reads and need none. With a control interface, a
 * check that deletes creates a world first, which is a write.
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

/** A need of a check that the run does not meet. */
interface Missing {
  readonly message: string;
  /** The flag or line to add. */
  readonly remedy: Remedy;
}

/** The part of `need` that is missing, or null. */
function missingOf(need: Need, plan: Plan, discovery: Discovery): Missing | null {
  const key = KEY_NAMES.find((name) => need === `key.${name}`);
  if (key !== undefined) return missingKey(key, discovery);
  const fixture = FIXTURE_NAMES.find((name) => need === `fixture.${name}`);
  if (fixture !== undefined) return missingFixture(fixture, discovery);
  const granted = FIXTURE_NAMES.find((name) => need === `world-or.${name}`);
  if (granted !== undefined) {
    return discovery.control === null
      ? missingFixture(granted, discovery)
      : missingControl(false, discovery);
  }
  if (need === 'app') return missingApp(plan, discovery);
  if (need === 'receiver') {
    return unless(plan.receiver !== null, 'no receiver', optionRemedy('receiver'));
  }
  if (need === 'receiver.observer') {
    const given = plan.receiver !== null && plan.receiver.observerUrl !== null;
    return unless(given, 'no observer URL', optionRemedy('observer'));
  }
  if (need === 'driver') return missingDriver(plan, discovery);
  return missingControl(need === 'control.virtual-clock', discovery);
}

function missingApp({ appUrl }: Plan, { api }: Discovery): Missing | null {
  const problem = api?.appProblem ?? null;
  if (problem !== null)
    return {
      message: problem,
      remedy: { text: `${optionRemedy('appUrl').text} with the right URL` },
    };
  return unless(appUrl !== null, 'no app URL', optionRemedy('appUrl'));
}

function missingKey(name: KeyName, { facts, api, control }: Discovery): Missing | null {
  const problem = name === 'main' ? api?.keyProblem : null;
  if (problem != null) {
    return { message: problem, remedy: { text: `${keyRemedy('main').text} with a valid key` } };
  }
  const message = `no ${name} key${controlNote(control)}`;
  return unless(facts.keys[name] !== undefined, message, remedyOf(keyRemedy(name), control));
}

function missingFixture(name: FixtureName, { facts, gone, control }: Discovery): Missing | null {
  const message = gone.get(name) ?? `no fixture ${name}${controlNote(control)}`;
  const remedy = remedyOf(fixtureRemedy(name), control);
  return unless(facts.fixtures[name] !== undefined, message, remedy);
}

/** The control interface should have supplied it. */
function controlNote(control: Discovery['control']): string {
  const reason = control?.problem ?? control?.foreignWorld ?? null;
  return reason === null ? '' : ` (${reason})`;
}

function remedyOf(remedy: Remedy, control: Discovery['control']): Remedy {
  return (control?.foreignWorld ?? null) === null
    ? remedy
    : {
        text: 'leave out --key, so that the run takes the keys of the world, or pass a key of its tenant',
      };
}

function missingDriver({ steps }: Plan, discovery: Discovery): Missing | null {
  if (discovery.control !== null) return missingControl(false, discovery);
  if (steps !== null) return null;
  return { message: 'nothing causes deliveries', remedy: optionRemedy('driver') };
}

function missingControl(virtual: boolean, { control }: Discovery): Missing | null {
  if (control === null) return { message: 'no control interface', remedy: optionRemedy('control') };
  if (control.problem !== null)
    return { message: control.problem, remedy: optionRemedy('control') };
  return unless(
    !virtual || control.clockMode === 'virtual',
    'the clock of the deployment is not virtual',
    { text: 'start the deployment under test with a virtual clock' },
  );
}

function unless(met: boolean, message: string, remedy: Remedy): Missing | null {
  return met ? null : { message, remedy };
}

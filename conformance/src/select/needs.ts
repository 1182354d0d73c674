import type { Need } from '../check-kit/check.ts';
import type { Discovery } from '../discover/discover.ts';
import { FIXTURE_NAMES, KEY_NAMES } from '../options/facts.ts';
import type { FixtureName, KeyName } from '../options/facts.ts';
import type { Plan } from '../options/plan.ts';
import { REMEDIES } from '../options/remedies.ts';

/** A need of a check that the run does not meet. */
export interface Missing {
  readonly message: string;
  /** The flag or line to add. */
  readonly remedy: string;
}

/** The part of `need` that is missing, or null. */
export function missingOf(need: Need, plan: Plan, discovery: Discovery): Missing | null {
  const key = KEY_NAMES.find((name) => need === `key.${name}`);
  if (key !== undefined) return missingKey(key, discovery);
  const fixture = FIXTURE_NAMES.find((name) => need === `fixture.${name}`);
  if (fixture !== undefined) return missingFixture(fixture, discovery);
  if (need === 'app') return unless(plan.appUrl !== null, 'no app URL', REMEDIES.appUrl);
  if (need === 'receiver') {
    return unless(plan.receiver !== null, 'no receiver', REMEDIES.receiver);
  }
  if (need === 'receiver.observer') {
    const given = plan.receiver !== null && plan.receiver.observerUrl !== null;
    return unless(given, 'no observer URL', REMEDIES.observer);
  }
  return missingControl(need === 'control.virtual-clock', discovery);
}

function missingKey(name: KeyName, { facts, api, control }: Discovery): Missing | null {
  const problem = name === 'main' ? api?.keyProblem : null;
  if (problem != null) {
    return { message: problem, remedy: `${REMEDIES.key('main')} with a valid key` };
  }
  const message = `no ${name} key${controlNote(control)}`;
  return unless(facts.keys[name] !== undefined, message, REMEDIES.key(name));
}

function missingFixture(name: FixtureName, { facts, control }: Discovery): Missing | null {
  const message = `no fixture ${name}${controlNote(control)}`;
  return unless(facts.fixtures[name] !== undefined, message, REMEDIES.fixture(name));
}

/** The control interface should have supplied it. */
function controlNote(control: Discovery['control']): string {
  return control?.problem == null ? '' : ` (${control.problem})`;
}

function missingControl(virtual: boolean, { control }: Discovery): Missing | null {
  if (control === null) return { message: 'no control interface', remedy: REMEDIES.control };
  if (control.problem !== null) return { message: control.problem, remedy: REMEDIES.control };
  return unless(
    !virtual || control.clockMode === 'virtual',
    'the clock of the deployment is not virtual',
    'start the deployment under test with a virtual clock',
  );
}

function unless(met: boolean, message: string, remedy: string): Missing | null {
  return met ? null : { message, remedy };
}

import type { Need } from '../check-kit/check.ts';
import { FIXTURE_NAMES, KEY_NAMES } from '../options/facts.ts';
import type { FixtureName, KeyName } from '../options/facts.ts';
import type { Plan } from '../options/plan.ts';
import type { Discovery } from '../discover/discovery.ts';

/** Something that a check needs and the run does not have. */
export interface Missing {
  readonly message: string;
  /** The exact flag or line to add. */
  readonly remedy: string;
}

const KEY_REMEDIES: Record<KeyName, string> = {
  main: '--key "$HOOKPROOF_KEY"',
  reviewer:
    '--fixtures FILE with { "keys": { "reviewer": "<key with scope dataset_review:read alone>" } }',
  ocr: '--fixtures FILE with { "keys": { "ocr": "<key with scope ocr:full>" } }',
  workflow:
    '--fixtures FILE with { "keys": { "workflow": "<key with scope workflow:read alone>" } }',
  otherTenant:
    '--fixtures FILE with { "keys": { "otherTenant": "<wildcard key of another tenant>" } }',
};

/** What gives a run a control interface. */
export const CONTROL_REMEDY: string =
  '--control-url URL --control-token "$HOOKPROOF_CONTROL_TOKEN"';

/** What gives a run a receiver to look at. */
export const RECEIVER_REMEDY: string = '--receiver URL --secret "$HOOKPROOF_SECRET"';

/** What of `need` is missing, or null when it is there. */
export function missingOf(need: Need, plan: Plan, discovery: Discovery): Missing | null {
  const key = KEY_NAMES.find((name) => need === `key.${name}`);
  if (key !== undefined) return missingKey(key, discovery);
  const fixture = FIXTURE_NAMES.find((name) => need === `fixture.${name}`);
  if (fixture !== undefined) return missingFixture(fixture, discovery);
  if (need === 'app') {
    return unless(plan.appUrl !== null, 'the app address is not known', '--app-url URL');
  }
  if (need === 'receiver') {
    return unless(plan.receiver !== null, 'no receiver', RECEIVER_REMEDY);
  }
  if (need === 'receiver.observer') {
    const given = plan.receiver !== null && plan.receiver.observerUrl !== null;
    return unless(given, 'no observer address', '--observer URL');
  }
  return missingControl(need === 'control.virtual-clock', discovery);
}

function missingKey(name: KeyName, { facts, api, control }: Discovery): Missing | null {
  const problem = name === 'main' ? api?.keyProblem : null;
  if (problem != null) return { message: problem, remedy: `${KEY_REMEDIES.main} with a valid key` };
  return unless(
    facts.keys[name] !== undefined,
    `the ${name} key is not known${controlNote(control)}`,
    KEY_REMEDIES[name],
  );
}

function missingFixture(name: FixtureName, { facts, control }: Discovery): Missing | null {
  return unless(
    facts.fixtures[name] !== undefined,
    `no ${name} was given or found${controlNote(control)}`,
    `--fixtures FILE with { "${name}": "<value>" }`,
  );
}

/** A control interface was meant to supply it. */
function controlNote(control: Discovery['control']): string {
  return control?.problem == null ? '' : ` (${control.problem})`;
}

function missingControl(virtual: boolean, { control }: Discovery): Missing | null {
  if (control === null) return { message: 'no control interface', remedy: CONTROL_REMEDY };
  if (control.problem !== null) return { message: control.problem, remedy: CONTROL_REMEDY };
  return unless(
    !virtual || control.clockMode === 'virtual',
    'the clock of the deployment cannot be moved',
    'start the deployment under test with a virtual clock',
  );
}

function unless(there: boolean, message: string, remedy: string): Missing | null {
  return there ? null : { message, remedy };
}

import { explain, listChecks } from '@hookproof/conformance';
import type { ConformanceOptions, Explanation, ListedCheck } from '@hookproof/conformance';

import type { Screen } from '../../command-line/screen.ts';

const STATES: Readonly<Record<ListedCheck['state'], string>> = {
  runs: 'runs',
  'could-not-run': 'could not run',
  locked: 'locked',
  'not-applicable': 'not applicable',
  'not-selected': 'not selected',
};
type Needs = ListedCheck['needs'];

/** What supplies a need; undefined for a key or an id of the fixtures file. */
const OPTIONS: Readonly<Partial<Record<Needs[number], string>>> = {
  'key.main': '--key',
  app: '--app-url',
  driver: '--control-url, --step-command or --ask',
  control: '--control-url',
  'control.virtual-clock': '--control-url with a virtual clock',
  receiver: '--receiver',
  'receiver.observer': '--observer',
};
const STATE_WIDTH = 15;
const MAX_FREEDOMS = 5;

/** Prints every check whose id begins so, with what a run with these options would do with it. */
export function printList(
  options: ConformanceOptions,
  beginning: string,
  json: boolean,
  screen: Screen,
): void {
  const listed = listChecks(options).filter(({ id }) => id.startsWith(beginning));
  if (json) {
    screen.print(JSON.stringify(listed, null, 2));
    return;
  }
  const { bold, dim } = screen.paint;
  for (const { id, state, title, add } of listed) {
    const line = `${STATES[state].padEnd(STATE_WIDTH)}${bold(id)}  ${dim(title)}`;
    screen.print(line);
    for (const what of add) {
      screen.print(`${' '.repeat(STATE_WIDTH)}${dim(`add ${what}`)}`);
    }
  }
  const counts = Object.entries(STATES).map(([state, word]) => {
    const count = listed.filter((check) => check.state === state).length;
    return `${count} ${word}`;
  });
  screen.print(`${listed.length} checks: ${counts.join(', ')}`);
}

/** Prints what a check or a requirement is about, and what a failure of it usually means. Says each thing once. */
export function printExplanation(id: string, json: boolean, screen: Screen): void {
  const explanations = explain(id);
  if (json) return screen.print(JSON.stringify(explanations, null, 2));
  const checks = once(explanations.flatMap((one) => one.checks));
  const freedoms = once(explanations.flatMap((one) => one.freedoms));
  const [first] = checks;
  printSection('checks', checks.map(checkField), screen);
  printSection('rules', explanations.map(ruleField), screen);
  printSection('left open', freedoms.slice(0, MAX_FREEDOMS).map(freedomField), screen);
  if (first !== undefined) {
    screen.print(
      `npx hookproof check … --only ${checks.length === 1 ? first.id : checks.map((check) => check.id).join(',')}`,
    );
  }
}

/** A name before a text. */
type Field = readonly [name: string, text: string];

function printSection(title: string, fields: readonly Field[], screen: Screen): void {
  if (fields.length === 0) return;
  const { bold, dim } = screen.paint;
  screen.print(bold(title));
  for (const [name, text] of fields) screen.print(`  ${dim(name)}  ${text}`);
  screen.print('');
}

function checkField({ id, title, access, needs }: Explanation['checks'][number]): Field {
  return [id, `${title} (${[`${access}s`, ...needsText(needs)].join('; ')})`];
}

/** The options that supply what a check needs, and the members of its fixtures file. */
function needsText(needs: Needs): string[] {
  // A control interface is a driver too.
  const own = needs.includes('control') ? needs.filter((need) => need !== 'driver') : needs;
  const options = own.map((need) => OPTIONS[need]).filter((option) => option !== undefined);
  const members = needs
    .filter((need) => OPTIONS[need] === undefined)
    .map((need) => need.replace('key.', 'keys.').replace('fixture.', ''));
  return [
    ...(options.length === 0 ? [] : [`needs ${options.join(', ')}`]),
    ...(members.length === 0 ? [] : [`${members.join(', ')} of the fixtures file`]),
  ];
}

function ruleField({ requirement: { id, rule, keyword, clause } }: Explanation): Field {
  return [id, `${rule} (${keyword}; ${clause})`];
}

function freedomField({ open, neverAsserted }: Explanation['freedoms'][number]): Field {
  return ['-', `${open} ${neverAsserted}`];
}

function once<T extends { readonly id: string }>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

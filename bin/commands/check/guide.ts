import { explain, listChecks } from '@hookproof/conformance';
import type { ConformanceOptions, Explanation, ListedCheck } from '@hookproof/conformance';

import type { Paint, Screen } from '../../command-line/screen.ts';

const STATES: Readonly<Record<ListedCheck['state'], string>> = {
  runs: 'runs',
  lacks: 'lacks',
  locked: 'locked',
  'not-applicable': 'not applicable',
  'not-selected': 'not selected',
};
const STATE_WIDTH = 15;
const LABEL_WIDTH = 14;

/** Prints every check with what a run with these options would do with it. */
export function printList(options: ConformanceOptions, json: boolean, screen: Screen): void {
  const listed = listChecks(options);
  if (json) {
    screen.print(JSON.stringify(listed, null, 2));
    return;
  }
  const { bold, dim } = screen.paint;
  for (const { id, state, title, add } of listed) {
    const line = `${STATES[state].padEnd(STATE_WIDTH)}${bold(id)}  ${dim(title)}`;
    screen.printWords(line, STATE_WIDTH);
    for (const what of add) {
      screen.printWords(`${' '.repeat(STATE_WIDTH)}${dim(`add ${what}`)}`, STATE_WIDTH);
    }
  }
  const counts = Object.entries(STATES).map(([state, word]) => {
    const count = listed.filter((check) => check.state === state).length;
    return `${count} ${word}`;
  });
  screen.print(`${listed.length} checks: ${counts.join(', ')}`);
}

/** Prints what a check or a requirement is about, and what a failure of it usually means. */
export function printExplanation(id: string, json: boolean, screen: Screen): void {
  const explanations = explain(id);
  if (json) return screen.print(JSON.stringify(explanations, null, 2));
  for (const [place, one] of explanations.entries()) {
    if (place > 0) screen.print('');
    for (const line of linesOf(one, screen.paint)) screen.printWords(line, LABEL_WIDTH + 2);
  }
}

function linesOf(
  { requirement, checks, diagnosis, freedoms }: Explanation,
  paint: Paint,
): string[] {
  const lines: [label: string, text: string][] = [
    ['rule', requirement.rule],
    ['clause', requirement.clause],
    ['binds as', requirement.keyword],
    ...(diagnosis === null
      ? []
      : ([
          ['usual cause', diagnosis.cause],
          ['fix', diagnosis.fix],
        ] as [string, string][])),
    ...freedoms.map(({ open, neverAsserted }): [string, string] => [
      'left open',
      `${open} ${neverAsserted}`,
    ]),
    ...checks.flatMap(({ id, title, access, needs }): [string, string][] => [
      ['check', `${id}: ${title} (${access})`],
      ...(needs.length === 0 ? [] : ([['needs', needs.join(', ')]] as [string, string][])),
      ['run it alone', `hookproof check … --only ${id}`],
    ]),
  ];
  return [
    paint.bold(requirement.id),
    ...lines.map(([label, text]) => `  ${paint.dim(label.padEnd(LABEL_WIDTH))}${text}`),
  ];
}

import type { AttemptRow } from '@hookproof/spec/control';

import type { Screen } from '../../command-line/screen.ts';
import {
  attemptJson,
  attemptLine,
  explanationLines,
  saidPart,
  withoutQuery,
} from '../../running/attempt-line.ts';
import type { TriggerOptions } from './options.ts';
import type { Round } from './round.ts';
import { SCENARIOS } from '@hookproof/spec/scenarios';
import type { Scenario } from '@hookproof/spec/scenarios';
import type { Target } from './target.ts';

/** Below the name of the event. */
const INDENT = 4;

const NAME_WIDTH = Math.max(...SCENARIOS.map(({ name }) => name.length));
/** The column of what a scenario does. */
export const LIST_INDENT: number = NAME_WIDTH + 7;

/** Returns the lines of `--list`. */
export function listLines({ json }: TriggerOptions): string[] {
  if (json === true) {
    return SCENARIOS.map(({ name, does, expects, receiver, statuses }) =>
      JSON.stringify({ name, does, expects, receiver, statuses }),
    );
  }
  return SCENARIOS.map(
    ({ name, does, expects, receiver }) =>
      `${name.padEnd(NAME_WIDTH)}  ${expects}  ${does}${receiver === expects ? '' : `; the receiver responds ${receiver}`}`,
  );
}

/** Prints what is sent, and returns a function that prints an attempt. */
export function attemptReport(
  { name, does }: Scenario,
  { endpoints, isOwn }: Target,
  { json }: TriggerOptions,
  screen: Screen,
): (attempt: AttemptRow) => void {
  if (json === true) return (attempt) => screen.print(JSON.stringify(attemptJson(attempt)));
  const urls = endpoints.map(({ url }) => withoutQuery(url));
  screen.printWords(`${screen.paint.bold(name)}: ${does} → ${urls.join(', ')}`, INDENT);
  const fixes = new Set<string>();
  return (attempt) => {
    const url = urls.length > 1 && attempt.url !== null ? `  ${withoutQuery(attempt.url)}` : '';
    screen.printWords(attemptLine(attempt, screen.paint) + url, INDENT);
    // The fault of the scenario is the wanted reason of a refusal.
    if (attempt.explanation?.cause === 'delivery_fault') return;
    const lines = explanationLines(attempt).map((line) => (isOwn ? withOption(line) : line));
    const [, fix = ''] = lines;
    if (fixes.has(fix)) return;
    for (const line of lines) screen.printWords(`    ${screen.paint.dim(line)}`, INDENT);
    fixes.add(fix);
  };
}

/** Returns the result of a round, for a line of JSON. */
export function resultJson(
  { name }: Scenario,
  { deliveries, held, isExpected }: Round,
  expected: string,
): object {
  const unexpected = deliveries
    .filter((one) => !one.isExpected)
    .map(({ id, got }) => ({ deliveryId: id, got }));
  const counts = { deliveries: deliveries.length, held, unexpected };
  return { event: 'result', scenario: name, expected, isExpected, ...counts };
}

/** Returns the lines at the end of a round. */
export function resultReport(
  scenario: Scenario,
  round: Round,
  { json, expect = scenario.expects, to }: TriggerOptions,
  { paint }: Screen,
): string[] {
  const { isExpected, deliveries, held } = round;
  const wrong = deliveries.filter((one) => !one.isExpected);
  const [first] = wrong;
  if (json === true) return [JSON.stringify(resultJson(scenario, round, expect))];
  const result = isExpected
    ? paint.green(`${of(deliveries.length)} got ${expect} as expected${saidBy(deliveries)}.`)
    : paint.red(
        `${wrong.length} of ${deliveries.length} did not get ${expect}, got ${gotList(wrong)}.`,
      );
  return [
    result,
    ...(first === undefined || to !== undefined
      ? []
      : [
          `More: hookproof explain --delivery ${first.id}`,
          ...(round.goesOn === 'no' ? ['After a fix: hookproof redeliver ended'] : []),
        ]),
    ...(held === 0
      ? []
      : [`${of(held)} ${to === undefined ? 'held back for a day' : 'left out'}.`]),
    ...FOLLOWS[round.goesOn],
  ];
}

/** Returns how often our receiver accepted and how often it recognized; nothing if it recognized no event. */
function saidBy(deliveries: Round['deliveries']): string {
  const said = deliveries.flatMap(({ attempts }) => attempts.flatMap(saidPart));
  const duplicates = said.filter((word) => word === 'duplicate').length;
  if (duplicates === 0) return '';
  const repeated = duplicates === 1 ? '1 as a duplicate' : `${duplicates} as duplicates`;
  return `: ${said.length - duplicates} accepted, ${repeated}`;
}

const FOLLOWS: Readonly<Record<Round['goesOn'], readonly string[]>> = {
  no: [],
  'by-itself': ['The server continues to retry.'],
  'with-the-clock': ['The clock of the server is virtual. Continue with: hookproof clock next'],
  'cut-off': ['Later retries were not sent, because the command ends after 60 s.'],
};

/** The endpoint of `--to` has no other name. */
function withOption(line: string): string {
  return line.replaceAll(/(the secret|that) of (this endpoint|endpoint whep_\w+)/gi, '--secret');
}

function of(count: number): string {
  return count === 1 ? '1 delivery' : `${count} deliveries`;
}

function gotList(wrong: Round['deliveries']): string {
  return [...new Set(wrong.map(({ got }) => got))].join(', ');
}

import type { AttemptRow } from '@hookproof/spec/control';

import type { Screen } from '../../command-line/screen.ts';
import {
  attemptJson,
  explanationLines,
  isAccepted,
  saidPart,
  withoutQuery,
} from '../../running/attempt-line.ts';
import { attemptReport } from '../../running/attempt-report.ts';
import type { AttemptReport } from '../../running/attempt-report.ts';
import type { TriggerOptions } from './options.ts';
import type { Round } from './round.ts';
import { SCENARIOS } from '@hookproof/spec/scenarios';
import type { Scenario } from '@hookproof/spec/scenarios';
import type { Target } from './target.ts';

const NAME_WIDTH = Math.max(...SCENARIOS.map(({ name }) => name.length));

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

/** Prints what is sent, and returns what shows the attempts. */
export function triggerReport(
  { name, does }: Scenario,
  { endpoints, isOwn }: Target,
  { json }: TriggerOptions,
  screen: Screen,
): AttemptReport {
  if (json === true) {
    return { show: (attempt) => screen.print(JSON.stringify(attemptJson(attempt))), end() {} };
  }
  const urls = endpoints.map(({ url }) => withoutQuery(url));
  screen.print(`${screen.paint.bold(name)}: ${does} → ${urls.join(', ')}`);
  return attemptReport({
    screen,
    isOfMany: urls.length > 1,
    explain(attempt) {
      // The fault of the scenario is the wanted reason of a refusal.
      if (attempt.explanation?.cause === 'delivery_fault') return [];
      return explanationLines(attempt).map((line) => (isOwn ? withOption(line) : line));
    },
  });
}

/** Returns several rounds as one. */
function totalOf(rounds: readonly Round[]): Round {
  return {
    isExpected: rounds.every(({ isExpected }) => isExpected),
    deliveries: rounds.flatMap(({ deliveries }) => deliveries),
    held: rounds.reduce((sum, { held }) => sum + held, 0),
    goesOn: rounds.map(({ goesOn }) => goesOn).findLast((goesOn) => goesOn !== 'no') ?? 'no',
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

/** Returns the lines at the end of all rounds. */
export function resultLines(
  scenario: Scenario,
  rounds: readonly Round[],
  { expect = scenario.expects, to }: TriggerOptions,
  { paint }: Screen,
): string[] {
  const { isExpected, deliveries, held, goesOn } = totalOf(rounds);
  const wrong = deliveries.filter((one) => !one.isExpected);
  const [first] = wrong;
  const inRounds = rounds.length === 1 ? '' : ` in ${rounds.length} rounds`;
  const result = isExpected
    ? paint.green(`${of(deliveries.length)}${inRounds} got ${expect} as expected.`)
    : paint.red(
        `${wrong.length} of ${of(deliveries.length)}${inRounds} ${wrongList(wrong)} (expected ${expect}).`,
      );
  return [
    result,
    ...storedOnce(deliveries),
    ...(first === undefined || to !== undefined
      ? []
      : [
          `More: hookproof explain --delivery ${first.id}`,
          ...(goesOn === 'no' ? ['After a fix: hookproof redeliver ended'] : []),
        ]),
    ...(held === 0
      ? []
      : [`${of(held)} ${to === undefined ? 'held back for a day' : 'left out'}.`]),
    ...FOLLOWS[goesOn],
  ];
}

/**
 * Returns what the responses of our receiver prove. How often a handler ran, only the receiver knows; but it stores an
 * event for its handlers when it responds 202, and responds 200 when it has it. Returns nothing unless each event
 * was accepted exactly once by each endpoint, because another app can respond 200 to everything.
 */
function storedOnce(deliveries: Round['deliveries']): string[] {
  const attempts = deliveries.flatMap((one) => one.attempts);
  const said = [...new Set(attempts.map(keyOf))].map((key) =>
    attempts.filter((one) => keyOf(one) === key && isAccepted(one)).flatMap(saidPart),
  );
  const areStoredOnce = said.every(
    (words) => words.filter((word) => word === 'accepted').length === 1,
  );
  const accepted = said.length;
  const isClear = attempts.filter(isAccepted).length === said.flat().length;
  if (accepted === 0 || !areStoredOnce || !isClear) return [];
  const duplicates = said.flat().length - accepted;
  const repeated =
    duplicates === 0
      ? ''
      : `, ${duplicates} recognized as ${duplicates === 1 ? 'a duplicate' : 'duplicates'}`;
  const each = accepted === 1 ? 'the event is' : 'each event is';
  return [
    `${counted(accepted, 'event')}, ${counted(attempts.length, 'attempt')}: ${accepted} accepted${repeated}, so ${each} stored for its handlers once.`,
  ];
}

function keyOf({ eventId, endpointId }: AttemptRow): string {
  return `${eventId} ${endpointId}`;
}

const FOLLOWS: Readonly<Record<Round['goesOn'], readonly string[]>> = {
  no: [],
  'by-itself': ['The server continues to retry.'],
  'with-the-clock': ['The clock of the server is virtual. Continue with: hookproof clock next'],
  'cut-off': ['Later retries were not sent, because the command ends after 60 s.'],
};

/** The endpoint of `--to` has no other name. */
function withOption(line: string): string {
  return line.replaceAll(/(the secret|that) of (this endpoint|the endpoint [^\s,]+)/gi, '--secret');
}

function of(count: number): string {
  return count === 1 ? '1 delivery' : `${count} deliveries`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** What the deliveries got instead of what was expected. */
function wrongList(wrong: Round['deliveries']): string {
  const was = wrong.length === 1 ? 'was' : 'were';
  const all = [...new Set(wrong.map(({ got }) => got))];
  const verb = all.every((got) => /^4\d\d$/.test(got))
    ? `${was} refused with`
    : all.every((got) => /^2\d\d$/.test(got))
      ? `${was} accepted with`
      : 'got';
  return `${verb} ${all.join(', ')}`;
}

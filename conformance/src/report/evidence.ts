import type { HttpExchange } from '../http/exchange.ts';
import { clip } from './characters.ts';
import { differenceText } from './difference.ts';
import type { CheckReport, Reproduction } from './model.ts';
import { attemptLines, ownMessage, requestText, responseText, timesText } from './wording.ts';

const MAX_EXCHANGE_CHARACTERS = 1_200;
/** A body of more lines is a list, of which the first entries show the form. */
const MAX_LINES = 24;

/** One labelled text of a failure, in the order in which a reader needs them. */
interface Evidence {
  readonly label: string;
  readonly text: string;
}

/** What a reader needs to understand and reproduce a failure; nothing for a check without a violation. */
export function evidenceOf(check: CheckReport): readonly Evidence[] {
  const { violation } = check;
  if (violation === undefined) return [];
  const { expected, actual, exchange, control, attempts, diagnosis, reproduce, command } =
    violation;
  const texts: readonly [label: string, text: string | null][] = [
    ['title', check.title],
    ['message', ownMessage(check)],
    ['requirement', `${check.requirement} (${check.level}; ${check.clause})`],
    ['rule', check.rule],
    ['expected', expected],
    ['actual', actual],
    ['likely cause', diagnosis.cause],
    ['fix', diagnosis.fix],
    ['attempts', attempts.length < 2 ? null : attemptLines(attempts)],
    ...exchangeTexts(exchange),
    [
      'difference',
      control === null || exchange === null ? null : shortened(differenceText(control, exchange)),
    ],
    ['reproduce', reproductionText(reproduce)],
    ['rerun', command],
    ['confirmed', timesText(violation.confirmed)],
  ];
  return texts.flatMap(([label, text]) => (text === null ? [] : [{ label, text }]));
}

function exchangeTexts(exchange: HttpExchange | null): [label: string, text: string][] {
  if (exchange === null) return [];
  return [
    [`${exchange.sentBy} sent`, shortened(requestText(exchange))],
    ['response', shortened(responseText(exchange))],
  ];
}

/** The JSON report has the whole text. */
function shortened(text: string): string {
  const lines = text.split('\n');
  const shown =
    lines.length > MAX_LINES
      ? [...lines.slice(0, MAX_LINES), `… (${lines.length - MAX_LINES} more lines)`]
      : lines;
  return clip(shown.join('\n'), MAX_EXCHANGE_CHARACTERS);
}

function reproductionText({ commands, note }: Reproduction): string {
  return [...(note === null ? [] : [note]), ...commands].join('\n');
}

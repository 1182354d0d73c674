import type { HttpExchange } from '../http/exchange.ts';
import { clip } from './characters.ts';
import type { CheckReport, Reproduction } from './model.ts';
import { ownMessage, requestText, responseText, timesText } from './wording.ts';

const MAX_EXCHANGE_CHARACTERS = 4_000;

/** The labels of what was sent and received: long texts with several lines. */
export const EXCHANGE_LABEL: RegExp = / sent$|response$/;

/** One labelled text of a failure, in the order in which a reader needs them. */
export interface Evidence {
  readonly label: string;
  readonly text: string;
}

/** What a reader needs to understand and reproduce a failure; nothing for a check without a violation. */
export function evidenceOf(check: CheckReport): readonly Evidence[] {
  const { violation } = check;
  if (violation === undefined) return [];
  const { expected, actual, exchange, control, diagnosis, reproduce, command } = violation;
  const texts: readonly [label: string, text: string | null][] = [
    ['title', check.title],
    ['message', ownMessage(check)],
    ['requirement', `${check.requirement} (${check.level}; ${check.clause})`],
    ['rule', check.rule],
    ['expected', expected],
    ['actual', actual],
    ['likely cause', diagnosis.cause],
    ['fix', diagnosis.fix],
    ...exchangeTexts('', exchange),
    ...exchangeTexts('control: ', control),
    ['reproduce', reproductionText(reproduce)],
    ['rerun', command],
    ['confirmed', timesText(violation.confirmed)],
  ];
  return texts.flatMap(([label, text]) => (text === null ? [] : [{ label, text }]));
}

function exchangeTexts(
  prefix: string,
  exchange: HttpExchange | null,
): [label: string, text: string][] {
  if (exchange === null) return [];
  return [
    [`${prefix}${exchange.sentBy} sent`, clip(requestText(exchange), MAX_EXCHANGE_CHARACTERS)],
    [`${prefix}response`, clip(responseText(exchange), MAX_EXCHANGE_CHARACTERS)],
  ];
}

function reproductionText({ commands, note }: Reproduction): string {
  return [...(note === null ? [] : [note]), ...commands].join('\n');
}

import type { HttpExchange } from '../http/exchange.ts';
import { parseJson } from '../http/message.ts';
import { requestText, responseText } from './wording.ts';

/** One line of a message, and whether the message beside it has no such line. */
export interface MarkedLine {
  readonly text: string;
  readonly isDifferent: boolean;
}

/** A control beside a probe, line by line. */
interface Comparison {
  readonly control: readonly MarkedLine[];
  readonly probe: readonly MarkedLine[];
}

/** Headers that differ in every response. */
const ALWAYS_DIFFERENT = /^(?:date|x-request-id|content-length|age|etag|keep-alive): /i;

/** Compares request line, headers, members of the body and status of a control with those of a probe. */
export function compareExchanges(control: HttpExchange, probe: HttpExchange): Comparison {
  // A shortened body is no JSON: then neither body is indented, so that equal parts stay alike.
  const isJson = [control, probe].every(({ response }) => isWhole(response?.body ?? null));
  const [left, right] = [linesOf(control, isJson), linesOf(probe, isJson)];
  return { control: marked(left, right), probe: marked(right, left) };
}

/** The lines of a control that passed, and of the request that failed, where they differ. */
export function differenceText(control: HttpExchange, probe: HttpExchange): string {
  const { control: passed, probe: failed } = compareExchanges(control, probe);
  return ['- passed', '+ failed', ...signed('-', passed), ...signed('+', failed)].join('\n');
}

function signed(sign: string, lines: readonly MarkedLine[]): string[] {
  return lines.filter(({ isDifferent }) => isDifferent).map(({ text }) => `${sign} ${text}`);
}

function isWhole(body: string | null): boolean {
  return body === null || parseJson(body) !== undefined;
}

function linesOf(exchange: HttpExchange, isJson: boolean): readonly string[] {
  const { request, response } = exchange;
  const shown = {
    ...exchange,
    request: { ...request, body: indented(request.body) },
    response:
      response === null
        ? null
        : { ...response, body: isJson ? indented(response.body) : response.body },
  };
  return [...requestText(shown).split('\n'), '', ...responseText(shown).split('\n')];
}

/** JSON with a line for each member. */
function indented(body: string | null): string | null {
  const value = body === null ? undefined : parseJson(body);
  return value === undefined ? body : JSON.stringify(value, null, 2);
}

function marked(lines: readonly string[], others: readonly string[]): readonly MarkedLine[] {
  const known = new Set(others.map(withoutComma));
  return lines.map((text) => ({
    text,
    isDifferent: text !== '' && !ALWAYS_DIFFERENT.test(text) && !known.has(withoutComma(text)),
  }));
}

/** The last member of an object has no comma. */
function withoutComma(line: string): string {
  return line.replace(/,$/, '');
}

import { validateHeaderName, validateHeaderValue } from 'node:http';

/** A status with what goes beside it, after a wait by the clock of the server. */
export interface StatusAnswer {
  /** 200 to 599. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text, sent as UTF-8. Default empty. */
  readonly body?: string;
  /** Default 0. */
  readonly afterMilliseconds?: number;
}

/** No answer at all; it ends when whoever asked gives up. */
export interface HangAnswer {
  readonly hang: true;
}

/** The TCP connection is reset. */
export interface ResetAnswer {
  readonly reset: true;
  /** Default 0. */
  readonly afterMilliseconds?: number;
}

/** What a sink does with one arrival. */
export type Answer = StatusAnswer | HangAnswer | ResetAnswer;

/** Something that keeps an answer from being given as it stands. */
export interface AnswerProblem {
  /** Where it is in the answer: the names of the fields that lead there. */
  readonly path: readonly string[];
  readonly message: string;
}

/** Headers by which the connection itself tells where an answer ends and what comes after it. */
const WRITTEN_BY_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'content-length',
  'transfer-encoding',
  'trailer',
  'upgrade',
]);

const STATUSES_WITHOUT_BODY: ReadonlySet<number> = new Set([204, 304]);

/** Checks what no schema can tell of an answer; no problem means it can be given. */
export function answerProblems(answer: Answer): AnswerProblem[] {
  if (!('status' in answer)) return [];
  const { status, headers = {}, body = '' } = answer;
  const problems: AnswerProblem[] = [];
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    const message = headerProblem(name, value, seen);
    if (message !== null) problems.push({ path: ['headers', name], message });
    seen.add(name.toLowerCase());
  }
  if (body !== '' && STATUSES_WITHOUT_BODY.has(status)) {
    problems.push({ path: ['body'], message: `must be left out: a ${status} has no body` });
  }
  return problems;
}

function headerProblem(name: string, value: string, seen: ReadonlySet<string>): string | null {
  if (WRITTEN_BY_CONNECTION.has(name.toLowerCase())) return 'is written by the connection itself';
  if (seen.has(name.toLowerCase())) return 'is given twice, in another case';
  if (!passes(() => validateHeaderName(name))) return 'is not the name of an HTTP header';
  if (!passes(() => validateHeaderValue(name, value))) return 'must be printable Latin-1 text';
  return null;
}

function passes(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

/** Answers that are given one after another; the last one stays. */
export type Script = readonly [Answer, ...Answer[]];

/** Without another wish, every arrival is taken. */
export const DEFAULT_SCRIPT: Script = [{ status: 200 }];

/** The answer that comes next, and the script that is left after it. */
export function takeAnswer([answer, next, ...others]: Script): {
  readonly answer: Answer;
  readonly left: Script;
} {
  return { answer, left: next === undefined ? [answer] : [next, ...others] };
}

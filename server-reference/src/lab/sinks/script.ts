import { validateHeaderName, validateHeaderValue } from 'node:http';

/** A status with what goes beside it, after a wait by the clock of the server. */
export interface StatusResponse {
  /** 200 to 599. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text, sent as UTF-8. Default empty. */
  readonly body?: string;
  /** Default 0. */
  readonly afterMilliseconds?: number;
}

/** No response at all; it ends when whoever asked gives up. */
export interface HangResponse {
  readonly hang: true;
}

/** The TCP connection is reset. */
export interface ResetResponse {
  readonly reset: true;
  /** Default 0. */
  readonly afterMilliseconds?: number;
}

/** What a sink does with one arrival. */
export type ScriptedResponse = StatusResponse | HangResponse | ResetResponse;

/** Something that keeps an response from being given as it stands. */
export interface ScriptProblem {
  /** Where it is in the response: the names of the fields that lead there. */
  readonly path: readonly string[];
  readonly message: string;
}

/** Headers by which the connection itself tells where an response ends and what comes after it. */
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

/** Checks what no schema can tell of an response; no problem means it can be given. */
export function responseProblems(response: ScriptedResponse): ScriptProblem[] {
  if (!('status' in response)) return [];
  const { status, headers = {}, body = '' } = response;
  const problems: ScriptProblem[] = [];
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    const message = headerProblem(name, value, seen);
    if (message !== null) problems.push({ path: ['headers', name], message });
    seen.add(name.toLowerCase());
  }
  if (body !== '' && STATUSES_WITHOUT_BODY.has(status)) {
    problems.push({
      path: ['body'],
      message: `must be omitted, because a ${status} response has no body`,
    });
  }
  return problems;
}

function headerProblem(name: string, value: string, seen: ReadonlySet<string>): string | null {
  if (WRITTEN_BY_CONNECTION.has(name.toLowerCase()))
    return 'is set by HTTP and cannot be customized';
  if (seen.has(name.toLowerCase())) return 'is a duplicate of another header in a different case';
  if (!passes(() => validateHeaderName(name))) return 'must be a valid HTTP header name';
  if (!passes(() => validateHeaderValue(name, value)))
    return 'must contain only printable Latin-1 characters';
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
export type Script = readonly [ScriptedResponse, ...ScriptedResponse[]];

/** Without another wish, every arrival is taken. */
export const DEFAULT_SCRIPT: Script = [{ status: 200 }];

/** The response that comes next, and the script that is left after it. */
export function takeResponse([response, next, ...others]: Script): {
  readonly response: ScriptedResponse;
  readonly left: Script;
} {
  return { response, left: next === undefined ? [response] : [next, ...others] };
}

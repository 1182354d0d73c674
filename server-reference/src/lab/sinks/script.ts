import { validateHeaderName, validateHeaderValue } from 'node:http';

/** A response with a status, after a delay by the clock of the server. */
export interface StatusResponse {
  /** 200 to 599. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text, sent as UTF-8. Default empty. */
  readonly body?: string;
  /** Default 0. */
  readonly afterMilliseconds?: number;
}

/** No response. The request ends when the client disconnects. */
interface HangResponse {
  readonly hang: true;
}

/** The TCP connection is reset. */
export interface ResetResponse {
  readonly reset: true;
  /** Default 0. */
  readonly afterMilliseconds?: number;
}

/** The response of a sink to one request. */
export type ScriptedResponse = StatusResponse | HangResponse | ResetResponse;

/** A reason that a response cannot be sent unchanged. */
interface ScriptProblem {
  /** The path of the field in the response. */
  readonly path: readonly string[];
  readonly message: string;
}

/** Headers that HTTP sets to frame the response. */
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

/** Checks the rules that the schema cannot express. Returns no problems if the response can be sent. */
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

/** Responses in order. The last one repeats. */
export type Script = readonly [ScriptedResponse, ...ScriptedResponse[]];

/** The default: 200 to every request. */
export const DEFAULT_SCRIPT: Script = [{ status: 200 }];

/** Returns the next response and the remaining script. */
export function takeResponse([response, next, ...others]: Script): {
  readonly response: ScriptedResponse;
  readonly left: Script;
} {
  return { response, left: next === undefined ? [response] : [next, ...others] };
}

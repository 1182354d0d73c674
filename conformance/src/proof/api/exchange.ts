import type { Between, Next } from '../../http/between.ts';
import { isRecord } from '../../http/message.ts';
import type { Incoming, Outgoing } from '../../http/message.ts';
import { editJson, jsonOf, respond, withJson } from '../kit/message.ts';
import type { Fields } from '../kit/message.ts';
import type { Knowledge } from '../knowledge.ts';
import type { Defect, Variant } from '../kit/defect.ts';

/** One request to the API on its way to the target. */
export interface Call {
  /** Null for a path outside the contract. */
  readonly operationId: string | null;
  readonly request: Outgoing;
  readonly next: Next;
  readonly knowledge: Knowledge;
  /** Kept for the whole run. */
  readonly memory: Map<string, unknown>;
}

type Open = Defect['open'];
type Change = (call: Call) => Incoming | Promise<Incoming>;

/** Changes every exchange with the API. */
export function always(change: Change): Open {
  return (knowledge) => {
    const memory = new Map<string, unknown>();
    return {
      api: async (request, next) => {
        const operationId = knowledge.operationOf(request)?.operationId ?? null;
        return change({ operationId, request, next, knowledge, memory });
      },
    };
  };
}

/** Changes the exchanges of certain operations. */
export function during(operations: string | readonly string[], change: Change): Open {
  const names = new Set([operations].flat());
  return always((call) =>
    call.operationId !== null && names.has(call.operationId)
      ? change(call)
      : call.next(call.request),
  );
}

/** Changes the JSON object of each 2xx response of certain operations. */
export function editing(
  operations: string | readonly string[],
  edit: (fields: Fields, call: Call) => unknown,
): Open {
  return during(operations, async (call) => {
    const response = await call.next(call.request);
    return isSuccess(response) ? editJson(response, (fields) => edit(fields, call)) : response;
  });
}

/** Changes the requests of certain operations, which the target then receives. */
export function asking(
  operations: string | readonly string[],
  change: (request: Outgoing, call: Call) => Outgoing,
): Open {
  return during(operations, (call) => call.next(change(call.request, call)));
}

/** Changes the JSON objects in an array of each 2xx response. */
export function editingEach(
  operation: string,
  member: string,
  edit: (fields: Fields, call: Call) => unknown,
): Open {
  return editing(operation, (fields, call) => {
    for (const one of recordsIn(fields[member])) edit(one, call);
  });
}

/** Responds like a success to a request of an operation, without passing it on. */
export function instead(operation: string, json: unknown, when: (call: Call) => boolean): Open {
  return during(operation, (call) => (when(call) ? respond(200, json) : call.next(call.request)));
}

export function isSuccess({ status }: Incoming): boolean {
  return status >= 200 && status <= 299;
}

/** The objects of an array that a transformation may change; empty for anything else. */
export function recordsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

export function isFields(value: unknown): value is Fields {
  return isRecord(value);
}

/** The JSON object of a message; empty when it is not one. */
export function fieldsOf(message: Outgoing | Incoming): Fields {
  const json = jsonOf(message);
  return isFields(json) ? json : {};
}

/** A request that reads something with the key of this one. */
export function reading(request: Outgoing, path: string): Outgoing {
  const url = new URL(request.url);
  const [pathname = '', search = ''] = path.split('?');
  url.pathname = pathname;
  url.search = search;
  const headers = request.headers.filter(([name]) => !/^content-/i.test(name));
  return { method: 'GET', url: url.href, headers, body: null };
}

/** The request with this JSON body. */
export function withBody(request: Outgoing, json: unknown): Outgoing {
  return withJson(request, json);
}

/** The decoded segment of a path after a name: `segment(url, 'runs')` of `/v1/runs/exec_1/usage` is `exec_1`. */
export function segment(url: string, after: string): string {
  const parts = new URL(url).pathname.split('/');
  return decodeURIComponent(parts[parts.lastIndexOf(after) + 1] ?? '');
}

/** A string, or an empty one for any other value. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function query(url: string, name: string): string | null {
  return new URL(url).searchParams.get(name);
}

/** A defect of the API. */
export function defect(id: string, breaks: string, does: string, open: Open): Defect {
  return { id, side: 'api', does, breaks, open };
}

/** Gives a fixture of every world another value. */
export function renamedFixture(name: string, value: string): Between {
  return async (request, next) => {
    const response = await next(request);
    const world = fieldsOf(response);
    const { fixtures } = world;
    if (!isFields(fixtures)) return response;
    return withJson(response, { ...world, fixtures: { ...fixtures, [name]: value } });
  };
}

/** A variant of the API. */
export function variant(
  id: string,
  takes: string,
  does: string,
  open: Open,
  silences: readonly string[] = [],
): Variant {
  return { id, side: 'api', does, takes, silences, open };
}

import { isRecord, isSuccess, redirectTarget } from '@hookproof/conformance/hooks';
import type { Between, Incoming, Next, Outgoing } from '@hookproof/conformance/hooks';
import type { Operation } from '@hookproof/spec/openapi';

import type { Open } from './defect.ts';
import { bearerOf } from './knowledge.ts';
import type { Keyring, Knowledge } from './knowledge.ts';
import { editJson, jsonOf, withJson } from './message.ts';
import type { Fields } from './message.ts';

export { isSuccess };

/** One request to the API on its way to the target. */
export interface Call {
  readonly operation: Operation;
  readonly operationId: string;
  readonly request: Outgoing;
  /** Sends a request to the target. */
  readonly next: Next;
  /** The key of the request; undefined without one. */
  readonly key: string | undefined;
  /** The keys of the world of this key; undefined for an unknown key. */
  readonly ring: Keyring | undefined;
  readonly knowledge: Knowledge;
  /** Kept for the whole run. */
  readonly memory: Map<string, unknown>;
}

/** Ids of operations; `every` for all of them. */
type Operations = string | readonly string[];

/** Stands between the suite and operations: `next` asks the target, never, once or several times. */
export function onCall(
  operations: Operations,
  respondTo: (call: Call) => Incoming | Promise<Incoming>,
): Open {
  const names = operations === 'every' ? null : new Set([operations].flat());
  return (knowledge) => {
    const memory = new Map<string, unknown>();
    return {
      api: async (request, next) => {
        const operation = knowledge.operationOf(request);
        if (operation === null || names?.has(operation.operationId) === false) return next(request);
        const { operationId } = operation;
        const key = bearerOf(request);
        const ring = key === undefined ? undefined : knowledge.keyringOf(key);
        return respondTo({ operation, operationId, request, next, key, ring, knowledge, memory });
      },
    };
  };
}

/** Changes requests, or responds in place of the target. */
export function onRequest(
  operations: Operations,
  change: (request: Outgoing, call: Call) => Outgoing | Incoming,
): Open {
  return onCall(operations, (call) => {
    const changed = change(call.request, call);
    return 'status' in changed ? changed : call.next(changed);
  });
}

/** Changes responses. */
export function onResponse(
  operations: Operations,
  change: (response: Incoming, call: Call) => Incoming | Promise<Incoming>,
): Open {
  return onCall(operations, async (call) => change(await call.next(call.request), call));
}

/** Changes the JSON object of each 2xx response. */
export function editResponse(
  operations: Operations,
  edit: (fields: Fields, call: Call) => unknown,
): Open {
  return onResponse(operations, (response, call) =>
    isSuccess(response) ? editJson(response, (fields) => edit(fields, call)) : response,
  );
}

/** Changes the objects in an array of each 2xx response. */
export function editEntries(
  operations: Operations,
  member: string,
  edit: (entry: Fields, call: Call) => unknown,
): Open {
  return editResponse(operations, (fields, call) => {
    for (const entry of recordsIn(fields[member])) edit(entry, call);
  });
}

/** Changes what an operation downloads, from the API or from the storage that it redirects to. */
export function onDownload(
  operationId: string,
  change: (response: Incoming, request: Outgoing) => Incoming | Promise<Incoming>,
): Open {
  return ({ operationOf }) => {
    const requests = new Map<string, Outgoing>();
    return {
      api: async (request, next) => {
        const response = await next(request);
        if (operationOf(request)?.operationId !== operationId) return response;
        const storage = redirectTarget(request.url, response);
        if (storage === null) return change(response, request);
        requests.set(storage, request);
        return response;
      },
      storage: async (request, next) => {
        const response = await next(request);
        const origin = requests.get(request.url);
        return origin === undefined ? response : change(response, origin);
      },
    };
  };
}

/** Changes every response but the content of files: a file that happens to be JSON stays as it was stored. */
export function onJson(change: (response: Incoming, call: Call) => Incoming): Open {
  return onResponse('every', (response, call) =>
    call.operationId === 'getFileContent' && isSuccess(response)
      ? response
      : change(response, call),
  );
}

/** Changes every JSON object of each 2xx response, except values of the user. The error envelope is closed. */
export function editEveryObject(edit: (fields: Fields, call: Call) => unknown): Open {
  return onJson((response, call) =>
    isSuccess(response) ? editObjects(response, (fields) => void edit(fields, call)) : response,
  );
}

export function isError({ status }: Incoming): boolean {
  return status >= 400;
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

/** The decoded segment of a path after a name: `segment(url, 'runs')` of `/v1/runs/exec_1/usage` is `exec_1`. */
export function segment(url: string, after: string): string {
  const parts = new URL(url).pathname.split('/');
  return decodeURIComponent(parts[parts.lastIndexOf(after) + 1] ?? '');
}

/** Whether a path names an automation by its alias. */
export function isByAlias({ url }: Outgoing): boolean {
  return segment(url, 'automations').startsWith('workflows.');
}

/** A string, or an empty one for any other value. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Counts up from 1. */
export function count({ memory }: Call, name = 'count'): number {
  const next = Number(memory.get(name) ?? 0) + 1;
  memory.set(name, next);
  return next;
}

export function query(url: string, name: string): string | null {
  return new URL(url).searchParams.get(name);
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

/** Members with values of the user, which an implementation returns as they are. */
const DATA = new Set([
  'output',
  'input',
  'config',
  'fieldDecisions',
  'inputSchema',
  'outputSchema',
  'metadata',
  'snapshotInputJson',
  'snapshotExpectedJson',
  'currentExpectedJson',
  'diffSummary',
]);

/** Changes every object in a JSON body except values of the user, the inner ones first. Other bodies are returned unchanged. */
function editObjects(response: Incoming, edit: (fields: Fields) => void): Incoming {
  const json = jsonOf(response);
  return json === undefined ? response : withJson(response, edited(json, edit));
}

function edited(value: unknown, edit: (fields: Fields) => void): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => edited(item, edit));
  if (!isRecord(value)) return value;
  const fields: Fields = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      DATA.has(name) ? member : edited(member, edit),
    ]),
  );
  edit(fields);
  return fields;
}

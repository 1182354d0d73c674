import type { Operation } from '@hookproof/spec/openapi';

import type { Hooks } from '../../http/between.ts';
import { isRecord } from '../../http/message.ts';
import type { Incoming, Outgoing } from '../../http/message.ts';
import { jsonOf, withJson } from '../kit/message.ts';
import type { Fields } from '../kit/message.ts';
import { bearerOf } from '../knowledge.ts';
import type { Keyring, Knowledge } from '../knowledge.ts';

/** One exchange with an operation of the contract. */
export interface Called {
  readonly operation: Operation;
  readonly request: Outgoing;
  /** The key of the request; undefined without one. */
  readonly key: string | undefined;
  /** The keys of the world of this key; undefined for an unknown key. */
  readonly ring: Keyring | undefined;
}

type Open = (knowledge: Knowledge) => Hooks;

/** Changes requests to operations of the contract, or responds in place of the target. */
export function onRequest(
  change: (called: Called, knowledge: Knowledge) => Outgoing | Incoming,
): Open {
  return (knowledge) => ({
    api: async (request, next) => {
      const called = calledBy(request, knowledge);
      const changed = called === null ? request : change(called, knowledge);
      return 'status' in changed ? changed : next(changed);
    },
  });
}

/** Changes responses of operations of the contract. */
export function onResponse(
  change: (response: Incoming, called: Called, knowledge: Knowledge) => Incoming,
): Open {
  return (knowledge) => ({
    api: async (request, next) => {
      const response = await next(request);
      const called = calledBy(request, knowledge);
      return called === null ? response : change(response, called, knowledge);
    },
  });
}

/** Like `onResponse`, without the content of files: a file that happens to be JSON stays as it was stored. */
export function onJson(change: (response: Incoming, called: Called) => Incoming): Open {
  return onResponse((response, called) =>
    called.operation.operationId === 'getFileContent' && isSuccess(response)
      ? response
      : change(response, called),
  );
}

function calledBy(request: Outgoing, knowledge: Knowledge): Called | null {
  const operation = knowledge.operationOf(request);
  if (operation === null) return null;
  const key = bearerOf(request);
  return {
    operation,
    request,
    key,
    ring: key === undefined ? undefined : knowledge.keyringOf(key),
  };
}

export function isSuccess({ status }: Incoming): boolean {
  return status >= 200 && status < 300;
}

export function isError({ status }: Incoming): boolean {
  return status >= 400;
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
export function editObjects(response: Incoming, edit: (fields: Fields) => void): Incoming {
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

import type { ApiOperation } from '../../checks/api/operations/operation.ts';
import { OPERATIONS } from '../../checks/api/operations/table.ts';
import { isRecord } from '../../http/message.ts';
import { jsonOf, refuse, respond } from '../kit/message.ts';
import type { Knowledge } from '../knowledge.ts';
import type { Defect } from '../kit/defect.ts';
import { onResponse } from './change.ts';
import type { Called } from './change.ts';

type Body = (called: Called) => boolean;

const isEmpty: Body = ({ request }) => (request.body?.byteLength ?? 0) === 0;
const isMalformed: Body = (called) => !isEmpty(called) && jsonOf(called.request) === undefined;
const isNoObject: Body = ({ request }) => {
  const json = jsonOf(request);
  return json !== undefined && !isRecord(json);
};

/** Operations that respond wrongly to ids that they do not know, and to bodies that they cannot read. */
export const lookupDefects: readonly Defect[] = [
  ...OPERATIONS.flatMap((operation) =>
    operation.ids.flatMap((parameter) => [
      lookup(operation, parameter, 'unknown', 'gets-400', () => refuse(400)),
      ...(operation.access === 'read' || parameter === 'path'
        ? []
        : [
            lookup(operation, parameter, 'malformed', 'gets-500', () =>
              refuse(500, 'internal_error'),
            ),
          ]),
    ]),
  ),
  ...OPERATIONS.filter(({ ids }) => ids.length > 0).map((operation) =>
    lookup(operation, operation.ids.at(-1) ?? '', 'unknown', 'succeeds', () => respond(200, {})),
  ),
  ...OPERATIONS.filter(({ body }) => body !== 'none').flatMap((operation) => [
    wrongBody(operation, 'not-json-gets-500', isMalformed, 500),
    wrongBody(operation, 'not-json-gets-422', isMalformed, 422),
    wrongBody(operation, 'no-object-gets-415', isNoObject, 415),
    wrongBody(operation, 'no-object-succeeds', isNoObject, 200),
  ]),
  ...OPERATIONS.filter(({ body }) => body === 'required').map((operation) =>
    wrongBody(operation, 'missing-gets-411', isEmpty, 411),
  ),
];

function lookup(
  { name, operationId }: ApiOperation,
  parameter: string,
  kind: 'unknown' | 'malformed',
  how: string,
  made: () => ReturnType<typeof refuse>,
): Defect {
  return {
    id: `${name}-${kind}-${parameter.toLowerCase()}-${how}`,
    side: 'api',
    does: `${operationId}: an ${kind} ${parameter} ${how.replaceAll('-', ' ')}.`,
    breaks: 'status-code.404',
    open: onResponse((response, called, { isKnownId }) => {
      if (called.operation.operationId !== operationId || response.status !== 404) return response;
      const value = parameterOf(called, parameter);
      const isKind = value.includes(' ') === (kind === 'malformed');
      return isKnownId(value) || !isKind ? response : made();
    }),
  };
}

/** The value of a path parameter. The last one can contain slashes. */
function parameterOf({ operation, request }: Called, parameter: string): string {
  const names = operation.path.split('/');
  const index = names.indexOf(`{${parameter}}`);
  const values = new URL(request.url).pathname.split('/');
  const parts = parameter === 'path' ? values.slice(index) : values.slice(index, index + 1);
  return parts.map(decodeURIComponent).join('/');
}

function wrongBody(
  { name, operationId }: ApiOperation,
  how: string,
  concerns: Body,
  status: number,
): Defect {
  return {
    id: `${name}-body-${how}`,
    side: 'api',
    does: `${operationId}: a body that is ${how.replaceAll('-', ' ')}.`,
    breaks: 'status-code.400',
    open: (knowledge: Knowledge) =>
      onResponse((response, called) =>
        called.operation.operationId === operationId && response.status === 400 && concerns(called)
          ? status < 300
            ? respond(status, {})
            : refuse(status)
          : response,
      )(knowledge),
  };
}

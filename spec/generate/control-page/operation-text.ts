import type { ControlOperation } from '@hookproof/spec/control';
import type { OperationObject, ResponseObject } from '@hookproof/spec/openapi';

import { typeText } from './schema-text.ts';
import type { Lookup } from './schema-text.ts';

/** The path below which the reference server has the interface. */
const PREFIX = '/_control';

/** Statuses that nearly every operation can have; the page describes them once. */
const COMMON_ERRORS = new Set(['400', '401', '403', '413', '500', '503']);

/** The media type of server-sent events. */
const EVENTS = 'text/event-stream';

const SUITE_NOTES = {
  required: '; the conformance suite needs it',
  optional: '; the conformance suite uses it if it exists',
};

/** The section of one operation. `shown` has the variables of the page so far, and gets those of its command. */
export function operationText(
  operation: ControlOperation,
  { summary, description }: OperationObject,
  lookup: Lookup,
  shown: Set<string>,
): string {
  const { method, path, suite } = operation;
  return [
    `### ${summary}`,
    `\`${method} ${PREFIX}${path}\`${suite === null ? '' : SUITE_NOTES[suite]}`,
    description,
    parametersText(operation, lookup),
    [bodyText(operation, lookup), ...responseTexts(operation, lookup)].filter(Boolean).join('\n'),
    exampleText(operation, shown),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** What every list takes; the page describes it once. */
const PAGING = new Set(['limit', 'cursor', 'order']);

function parametersText(operation: ControlOperation, lookup: Lookup): string {
  const parameters = operation.parameters.filter(({ name }) => !PAGING.has(name));
  const isPaged = parameters.length < operation.parameters.length;
  const tables = [
    ['query', 'query parameter'],
    ['header', 'request header'],
  ].map(([place, title]) => {
    const rows = parameters
      .filter((parameter) => parameter.in === place)
      .map(
        ({ name, schema, description = '' }) =>
          `| \`${name}?\` | ${typeText(schema, lookup)} | ${description} |`,
      );
    if (rows.length === 0) return '';
    return `| ${title} | type | meaning |\n| --- | --- | --- |\n${rows.join('\n')}`;
  });
  const paging = isPaged ? 'Takes [`limit`, `cursor` and `order`](#reference).' : '';
  return [...tables, paging].filter((text) => text !== '').join('\n\n');
}

function bodyText({ requestBody }: ControlOperation, lookup: Lookup): string {
  const schema = requestBody?.content['application/json']?.schema;
  if (schema === undefined) return '';
  const optional = requestBody?.required === true ? '' : ', optional';
  return `- Body: ${typeText(schema, lookup)}${optional}.`;
}

function responseTexts({ responses }: ControlOperation, lookup: Lookup): string[] {
  const all = Object.entries(responses).filter(([status]) => !COMMON_ERRORS.has(status));
  const errors = all.filter(([status]) => Number(status) >= 400);
  const others = all.filter(([status]) => Number(status) < 400);
  return [
    ...others.map(([status, response]) => `- ${responseText(status, response, lookup)}`),
    ...(errors.length === 0 ? [] : [`- [Errors](#errors): ${errors.map(errorText).join(', ')}`]),
  ];
}

function responseText(
  status: string,
  { content, description }: Omit<ResponseObject, 'headers'>,
  lookup: Lookup,
): string {
  const schema = (content?.['application/json'] ?? content?.[EVENTS])?.schema;
  return `\`${status}\`: ${description}${schema === undefined ? '' : ` ${typeText(schema, lookup)}.`}`;
}

function errorText([status, response]: [string, Omit<ResponseObject, 'headers'>]): string {
  const codes = response['x-codes']?.map((name) => ` \`${name}\``).join(',') ?? '';
  return `\`${status}\`${codes}`;
}

/** A command that the page's variables complete; none where it follows the pattern of the page. */
function exampleText(operation: ControlOperation, shown: Set<string>): string {
  const ids = idLines(operation, shown);
  const command = curlLine(operation);
  const { method, path } = operation;
  if (method === 'DELETE') shown.delete(idVariable(path));
  const isPattern = command === `curl${verbOf(method)} -H "$TOKEN" $CONTROL${filled(path)}`;
  return ids.length === 0 && isPattern ? '' : `\`\`\`sh\n${[...ids, command].join('\n')}\n\`\`\``;
}

/** A request that the page's variables complete; the example of the document is its body. */
function curlLine({ method, path, requestBody, responses }: ControlOperation): string {
  const isStream = responses['200']?.content?.[EVENTS] !== undefined;
  const json = requestBody?.content['application/json'];
  const body = json === undefined ? '' : ` -H "$JSON" -d '${JSON.stringify(json.example)}'`;
  return `curl${isStream ? ' -N' : ''}${verbOf(method)} -H "$TOKEN"${body} $CONTROL${filled(path)}`;
}

function verbOf(method: string): string {
  return method === 'GET' ? '' : ` -X ${method}`;
}

function filled(path: string): string {
  return path.replace(/\{(?:id|runId)\}/, `$${idVariable(path)}`).replace('{number}', '1');
}

/** The bodies that create an object of each kind. An object of another kind is the first of its list. */
const NEW_OBJECTS: Readonly<Record<string, object>> = {
  worlds: {},
  keys: { scope: [] },
  runs: {},
  'webhook-endpoints': { url: 'http://127.0.0.1:9000/hook' },
  'delivery-faults': { name: 'delay' },
  'api-faults': { match: {}, effect: { status: 500 } },
};

/** The line that gets the id in the path, so that the commands can be typed in order with nothing filled in. */
function idLines({ path }: ControlOperation, shown: Set<string>): readonly string[] {
  const name = idVariable(path);
  if (!path.includes('{') || shown.has(name)) return [];
  shown.add(name);
  const [, resource = ''] = path.split('/');
  // The API says the id of each request, also of one that it refuses.
  if (resource === 'requests') return [`${name}=$(curl -sS \${CONTROL%/*}/v1/agents | id)`];
  const body = NEW_OBJECTS[resource];
  const create = body === undefined ? '' : ` -H "$JSON" -d '${JSON.stringify(body)}'`;
  return [`${name}=$(curl -sS -H "$TOKEN"${create} $CONTROL/${resource} | id)`];
}

/** `/webhook-endpoints/{id}` has `WEBHOOK_ENDPOINT_ID`, `/deliveries/{id}` has `DELIVERY_ID`. */
function idVariable(path: string): string {
  const [, resource = ''] = path.split('/');
  const singular = resource.replace(/ies$/, 'y').replace(/s$/, '');
  return `${singular.toUpperCase().replaceAll('-', '_')}_ID`;
}

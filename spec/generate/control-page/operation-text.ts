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
  required: 'The conformance suite needs this operation.',
  optional: 'The conformance suite uses this operation if it exists.',
};

/** The section of one operation. */
export function operationText(
  operation: ControlOperation,
  { summary, description }: OperationObject,
  lookup: Lookup,
): string {
  const { method, path, suite } = operation;
  return [
    `### ${summary}`,
    `\`${method} ${PREFIX}${path}\``,
    description,
    parametersText(operation, lookup),
    bodyText(operation, lookup),
    responsesText(operation, lookup),
    suite === null ? '' : SUITE_NOTES[suite],
    `\`\`\`sh\n${[...idLines(operation), curlLine(operation)].join('\n')}\n\`\`\``,
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
  return `Body: ${typeText(schema, lookup)}${optional}.`;
}

function responsesText({ responses }: ControlOperation, lookup: Lookup): string {
  return Object.entries(responses)
    .filter(([status]) => !COMMON_ERRORS.has(status))
    .map(([status, response]) => `- ${responseText(status, response, lookup)}`)
    .join('\n');
}

function responseText(
  status: string,
  response: Omit<ResponseObject, 'headers'>,
  lookup: Lookup,
): string {
  const codes = response['x-codes']?.map((name) => ` \`${name}\``).join('') ?? '';
  const { content } = response;
  const schema = (content?.['application/json'] ?? content?.[EVENTS])?.schema;
  const isError = Number(status) >= 400;
  const body = isError || schema === undefined ? '' : ` Body: ${typeText(schema, lookup)}.`;
  return `\`${status}\`${codes}: ${response.description}${body}`;
}

/** A request that the page's variables complete; the example of the document is its body. */
function curlLine({ method, path, requestBody, responses }: ControlOperation): string {
  const isStream = responses['200']?.content?.[EVENTS] !== undefined;
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  const json = requestBody?.content['application/json'];
  const body = json === undefined ? '' : ` -H "$JSON" -d '${JSON.stringify(json.example)}'`;
  const [, resource = ''] = path.split('/');
  const target = path
    .replace('{id}', `$${variable(resource)}_ID`)
    .replace('{runId}', '$RUN_ID')
    .replace('{number}', '1');
  return `curl${isStream ? ' -N' : ''}${verb} -H "$TOKEN"${body} $CONTROL${target}`;
}

/** The bodies that create an object of each kind. An object of another kind is the first of its list. */
const NEW_OBJECTS: Readonly<Record<string, object>> = {
  worlds: {},
  keys: { scope: [] },
  runs: {},
  'webhook-endpoints': { url: 'http://127.0.0.1:9000/hook' },
  'delivery-faults': { name: 'delay' },
  sinks: {},
  'api-faults': { match: {}, effect: { status: 500 } },
};

/** The line that gets the id in the path, so that each command can be typed with nothing filled in. */
function idLines({ path }: ControlOperation): readonly string[] {
  if (!path.includes('{')) return [];
  const [, resource = ''] = path.split('/');
  const name = `${variable(resource)}_ID`;
  // The API says the id of each request, also of one that it refuses.
  if (resource === 'requests') return [`${name}=$(curl -sS \${CONTROL%/*}/v1/agents | id)`];
  const body = NEW_OBJECTS[resource];
  const create = body === undefined ? '' : ` -H "$JSON" -d '${JSON.stringify(body)}'`;
  return [`${name}=$(curl -sS -H "$TOKEN"${create} $CONTROL/${resource} | id)`];
}

/** `webhook-endpoints` becomes `WEBHOOK_ENDPOINT`, `deliveries` becomes `DELIVERY`. */
function variable(resource: string): string {
  const singular = resource.replace(/ies$/, 'y').replace(/s$/, '');
  return singular.toUpperCase().replaceAll('-', '_');
}

import type { HeaderPair } from '../../../http/exchange.ts';
import type { Incoming } from '../../../http/message.ts';
import { isRecord } from '../../../http/message.ts';
import {
  jsonOf,
  refuse,
  replaceHeader,
  respond,
  withBytes,
  withHeader,
} from '../../kit/message.ts';
import { variant } from '../../kit/defect.ts';
import type { Variant } from '../../kit/defect.ts';
import { onRequest, onJson, isSuccess, editObjects } from '../../kit/api.ts';

const HTML = '<!doctype html><title>Not found</title><h1>Not found</h1>';

/** The same content in another form on the wire. */
export const wireVariants: readonly Variant[] = [
  ...spellings({
    'headers-in-lower-case': ['Writes header names in lower case.', lower],
    'headers-in-upper-case': ['Writes header names in upper case.', (name) => name.toUpperCase()],
    'headers-in-title-case': [
      'Writes header names in title case.',
      (name) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
    ],
  }),
  ...contentTypes({
    plain: 'application/json',
    'with-charset': 'application/json; charset=utf-8',
    'with-capital-charset': 'application/json;charset=UTF-8',
    'with-profile': 'application/json; profile="https://api.example/profile"',
    'in-capitals': 'Application/JSON; Charset="utf-8"',
    absent: null,
  }),
  ...bodies({
    'json-is-indented': ['Indents JSON.', (json) => JSON.stringify(json, null, 2)],
    'json-ends-with-newline': [
      'Ends JSON with a line break.',
      (json) => `${JSON.stringify(json)}\n`,
    ],
    'json-in-ascii': [
      'Escapes every character beyond ASCII.',
      (json) =>
        JSON.stringify(json).replaceAll(
          /[\u0080-\uffff]/g,
          (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
        ),
    ],
    'members-in-reverse-order': ['Sends members in another order.', (json) => reversed(json)],
  }),
  wire('extra-headers', 'Sends further headers.', 'versioning.wire.extra-members', (response) => ({
    ...response,
    headers: [
      ...response.headers,
      ['x-powered-by', 'platform'],
      ['server-timing', 'app;dur=12'],
      ['set-cookie', 'session=; Max-Age=0'],
      ['set-cookie', 'theme=dark'],
    ],
  })),
  wire(
    'deprecation-headers',
    'Announces an end of this version.',
    'versioning.deprecation',
    (response) =>
      withHeader(
        withHeader(response, 'deprecation', '@1798761600'),
        'sunset',
        'Fri, 31 Dec 2027 23:59:59 GMT',
      ),
  ),
  wire('connection-closes', 'Closes each connection.', 'status-code.others', (response) =>
    withHeader(response, 'connection', 'close'),
  ),
  wire(
    'clock-is-behind',
    'Has a clock seven minutes behind.',
    'versioning.wire.timestamp-format',
    (response) => withHeader(response, 'date', new Date(Date.now() - 420_000).toUTCString()),
  ),
  wire(
    'clock-is-ahead',
    'Has a clock nine minutes ahead.',
    'versioning.wire.timestamp-format',
    (response) => withHeader(response, 'date', new Date(Date.now() + 540_000).toUTCString()),
  ),
  wire('without-date', 'Sends no Date header.', 'versioning.wire.timestamp-format', (response) =>
    withHeader(response, 'date', null),
  ),
  members('extra-member', 'Sends a further member in every object.', (fields) => {
    fields['schemaRevision'] = 3;
  }),
  members('extra-object', 'Sends a further object in every object.', (fields) => {
    fields['links'] = { self: '/v1/somewhere', related: ['a', 'b'] };
  }),
  members('volatile-counter', 'Sends a member that changes with every read.', (fields, count) => {
    fields['openForSeconds'] = count;
  }),
  members('volatile-time', 'Sends the time of the response in every object.', (fields, count) => {
    fields['readAt'] = new Date(1_700_000_000_000 + count).toISOString();
  }),
  ...unknownPaths({
    'unknown-path-html-404': () => page(404),
    'unknown-path-html-502': () => page(502),
    'unknown-path-page-200': () => page(200),
    'unknown-path-other-json': () => respond(404, { error: 'no route' }),
    'unknown-path-redirects': () => ({ ...page(302), headers: [['location', '/login']] }),
  }),
  variant({
    id: 'undeclared-json-415',
    does: 'Responds 415 to a body that is not declared as JSON.',
    takes: 'status-code.others',
    api: onRequest('every', (request, { operation }) => {
      const declared = request.headers.some(
        ([name, value]) => lower(name) === 'content-type' && value.startsWith('application/json'),
      );
      const sends = request.body !== null && request.body.byteLength > 0;
      return operation.requestBody !== undefined && sends && !declared ? refuse(415) : request;
    }),
  }),
];

function lower(name: string): string {
  return name.toLowerCase();
}

function wire(
  id: string,
  does: string,
  takes: string,
  change: (response: Incoming) => Incoming,
): Variant {
  return variant({ id: `responses-${id}`, does, takes, api: onJson(change) });
}

function spellings(
  kinds: Readonly<Record<string, readonly [does: string, spell: (name: string) => string]>>,
): Variant[] {
  return Object.entries(kinds).map(([id, [does, spell]]) =>
    wire(id, does, 'status-code.others', (response) => ({
      ...response,
      headers: response.headers.map(([name, value]): HeaderPair => [spell(name), value]),
    })),
  );
}

function contentTypes(kinds: Readonly<Record<string, string | null>>): Variant[] {
  return Object.entries(kinds).map(([name, type]) =>
    wire(
      `content-type-${name}`,
      type === null ? 'Sends JSON without a content type.' : `Sends JSON as ${type}.`,
      'versioning.wire.json-bodies',
      (response) => {
        if (jsonOf(response) === undefined) return response;
        return type === null
          ? withHeader(response, 'content-type', null)
          : replaceHeader(response, 'content-type', type);
      },
    ),
  );
}

function bodies(
  kinds: Readonly<Record<string, readonly [does: string, write: (json: unknown) => string]>>,
): Variant[] {
  return Object.entries(kinds).map(([id, [does, write]]) =>
    wire(id, does, 'versioning.wire.json-bodies', (response) => {
      const json = jsonOf(response);
      return json === undefined ? response : withBytes(response, Buffer.from(write(json)));
    }),
  );
}

function reversed(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    isRecord(member) ? Object.fromEntries(Object.entries(member).toReversed()) : member,
  );
}

/** The error envelope is closed, and a freely shaped value belongs to the user. */
function members(
  id: string,
  does: string,
  edit: (fields: Record<string, unknown>, count: number) => void,
): Variant {
  return variant({
    id: `responses-${id}`,
    does,
    takes: 'versioning.wire.extra-members',
    api: (knowledge) => {
      let count = 0;
      return onJson((response) => {
        count += 1;
        return isSuccess(response)
          ? editObjects(response, (fields) => edit(fields, count))
          : response;
      })(knowledge);
    },
  });
}

function unknownPaths(kinds: Readonly<Record<string, () => Incoming>>): Variant[] {
  return Object.entries(kinds).map(([id, response]) =>
    variant({
      id,

      does: `Responds to a path outside the contract in its own way (${response().status}).`,
      takes: 'status-code.others',
      api: ({ operationOf }) => ({
        api: async (request, next) => (operationOf(request) === null ? response() : next(request)),
      }),
    }),
  );
}

function page(status: number): Incoming {
  return { status, headers: [['content-type', 'text/html']], bytes: Buffer.from(HTML) };
}

import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

import { isRecord } from '@hookproof/conformance/hooks';
import type { HeaderPair } from '@hookproof/conformance/hooks';
import { count, editEveryObject, onJson, onResponse } from '@hookproof/conformance/proof/kit/api';
import { variant, variantsOf } from '@hookproof/conformance/proof/kit/defect';
import type { Open, Variant } from '@hookproof/conformance/proof/kit/defect';
import {
  jsonOf,
  replaceHeader,
  withBytes,
  withHeader,
} from '@hookproof/conformance/proof/kit/message';

/** The same content in another form on the wire. */
export const wireVariants: readonly Variant[] = [
  ...variantsOf({
    takes: 'status-code.others',
    at: 'header names',
    api: headerNames,
    rows: {
      'responses-headers-in-lower-case': ['Writes header names in lower case.', lower],
      'responses-headers-in-upper-case': [
        'Writes header names in upper case.',
        (name) => name.toUpperCase(),
      ],
      'responses-headers-in-title-case': [
        'Writes header names in title case.',
        (name) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
      ],
    },
  }),
  ...contentTypes({
    plain: 'application/json',
    'with-charset': 'application/json; charset=utf-8',
    'with-capital-charset': 'application/json;charset=UTF-8',
    'with-profile': 'application/json; profile="https://api.example/profile"',
    'in-capitals': 'Application/JSON; Charset="utf-8"',
    absent: null,
  }),
  ...variantsOf({
    takes: 'versioning.wire.json-bodies',
    at: 'body',
    api: bodies,
    rows: {
      'responses-json-is-indented': ['Indents JSON.', (json) => JSON.stringify(json, null, 2)],
      'responses-json-ends-with-newline': [
        'Ends JSON with a line break.',
        (json) => `${JSON.stringify(json)}\n`,
      ],
      'responses-json-in-ascii': [
        'Escapes every character beyond ASCII.',
        (json) =>
          JSON.stringify(json).replaceAll(
            /[\u0080-\uffff]/g,
            (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
          ),
      ],
      'responses-members-in-reverse-order': [
        'Sends members in another order.',
        (json) => reversed(json),
      ],
    },
  }),
  ...codings({
    gzip: gzipSync,
    deflate: deflateSync,
    'raw-deflate': deflateRawSync,
    br: brotliCompressSync,
  }),
  variant({
    id: 'responses-extra-headers',
    takes: 'versioning.wire.extra-members',
    does: 'Sends further headers.',
    api: onJson((response) => ({
      ...response,
      headers: [
        ...response.headers,
        ['x-powered-by', 'platform'],
        ['server-timing', 'app;dur=12'],
        ['set-cookie', 'session=; Max-Age=0'],
        ['set-cookie', 'theme=dark'],
      ],
    })),
  }),
  variant({
    id: 'responses-deprecation-headers',
    takes: 'versioning.deprecation',
    does: 'Announces an end of this version.',
    api: onJson((response) =>
      withHeader(
        withHeader(response, 'deprecation', '@1798761600'),
        'sunset',
        'Fri, 31 Dec 2027 23:59:59 GMT',
      ),
    ),
  }),
  variant({
    id: 'responses-connection-closes',
    takes: 'status-code.others',
    at: 'connection',
    does: 'Closes each connection.',
    api: onJson((response) => withHeader(response, 'connection', 'close')),
  }),
  ...variantsOf({
    takes: 'versioning.wire.timestamp-format',
    at: 'Date',
    api: (dateOf: () => string | null) =>
      onJson((response) => withHeader(response, 'date', dateOf())),
    rows: {
      'responses-clock-is-behind': ['Has a clock seven minutes behind.', () => dateIn(-420_000)],
      'responses-clock-is-ahead': ['Has a clock nine minutes ahead.', () => dateIn(540_000)],
      'responses-without-date': ['Sends no Date header.', () => null],
    },
  }),
  ...variantsOf({
    takes: 'versioning.wire.extra-members',
    api: editEveryObject,
    rows: {
      'responses-extra-member': [
        'Sends a further member in every object.',
        (fields) => (fields['schemaRevision'] = 3),
      ],
      'responses-extra-object': [
        'Sends a further object in every object.',
        (fields) => (fields['links'] = { self: '/v1/somewhere', related: ['a', 'b'] }),
      ],
      'responses-volatile-counter': [
        'Sends a member that changes with every read.',
        (fields, call) => (fields['openForSeconds'] = count(call)),
      ],
      'responses-volatile-time': [
        'Sends the time of the response in every object.',
        (fields, call) =>
          (fields['readAt'] = new Date(1_700_000_000_000 + count(call)).toISOString()),
      ],
    },
  }),
];

function lower(name: string): string {
  return name.toLowerCase();
}

function headerNames(spell: (name: string) => string): Open {
  return onJson((response) => ({
    ...response,
    headers: response.headers.map(([name, value]): HeaderPair => [spell(name), value]),
  }));
}

function contentTypes(kinds: Readonly<Record<string, string | null>>): Variant[] {
  return Object.entries(kinds).map(([name, type]) =>
    variant({
      id: `responses-content-type-${name}`,
      takes: 'versioning.wire.json-bodies',
      at: 'content-type',
      does: type === null ? 'Sends JSON without a content type.' : `Sends JSON as ${type}.`,
      api: onJson((response) => {
        if (jsonOf(response) === undefined) return response;
        return type === null
          ? withHeader(response, 'content-type', null)
          : replaceHeader(response, 'content-type', type);
      }),
    }),
  );
}

function codings(kinds: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>>): Variant[] {
  return Object.entries(kinds).map(([name, encode]) =>
    variant({
      id: `responses-${name}`,
      takes: 'versioning.wire.content-coding',
      does: `Compresses every response with ${name}, without being asked.`,
      api: onResponse('every', (response) => {
        if (response.bytes.byteLength === 0) return response;
        const coding = name.replace('raw-', '');
        return withHeader(withBytes(response, encode(response.bytes)), 'content-encoding', coding);
      }),
    }),
  );
}

function bodies(write: (json: unknown) => string): Open {
  return onJson((response) => {
    const json = jsonOf(response);
    return json === undefined ? response : withBytes(response, Buffer.from(write(json)));
  });
}

function reversed(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    isRecord(member) ? Object.fromEntries(Object.entries(member).toReversed()) : member,
  );
}

function dateIn(milliseconds: number): string {
  return new Date(Date.now() + milliseconds).toUTCString();
}
